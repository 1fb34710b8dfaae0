import Testing

@testable import Monitoring

@Suite struct PrometheusTextTests {
    @Test(arguments: [
        (#"say "hi""#, #"say \"hi\""#), (#"a\nb"#, #"a\\nb"#), ("a\nb", #"a\nb"#),
        ("a\rb\u{0}c", "a\u{FFFD}b\u{FFFD}c"),
        ("a\r\nb", "a\u{FFFD}\\nb"), (#"{job="x"} 1 # HELP"#, #"{job=\"x\"} 1 # HELP"#), ("습관 🏃", "습관 🏃"),
    ]) func `a value of a label ends where it should`(_ text: String, _ written: String) {
        var metrics = PrometheusText()
        metrics.add(.goodCheckAge, 1, text)
        #expect(metrics.text.hasSuffix("\nrankd_good_check_age_seconds{country=\"\(written)\"} 1\n"))
    }

    @Test func `a family is told of once, and the same labels make one series`() {
        var metrics = PrometheusText()
        metrics.add(.goodCheckAge, 1, "us")
        metrics.add(.goodCheckAge, 2, "de")
        metrics.add(.goodCheckAge, 3, "us")
        #expect(
            metrics.text == """
                # HELP rankd_good_check_age_seconds \(Metric.goodCheckAge.help)
                # TYPE rankd_good_check_age_seconds gauge
                rankd_good_check_age_seconds{country="us"} 1
                rankd_good_check_age_seconds{country="de"} 2

                """)
    }

    @Test(arguments: [
        (0.0, "0"), (1_796_000_000, "1796000000"), (0.5, "0.5"), (-1, "-1"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
        (.nan, "NaN"),
    ]) func `numbers are written as Prometheus reads them`(_ value: Double, _ written: String) {
        #expect(PrometheusText.number(value) == written)
    }

    @Test func `the explanation says how many pairs have figures`() {
        #expect(Metric.pairsLeftOut.help.contains("\(HistoryMetrics.mostPairs)"))
    }
}
