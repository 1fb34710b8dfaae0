/// Numbers as people read them, in the same form on every machine.
package enum Figures {
    /// `999 B`, `1.2 kB`, `12.3 MB`, `123 GB`: decimal units, one decimal below 100, rounded down.
    package static func bytes(_ count: Int64) -> String {
        let units = ["B", "kB", "MB", "GB", "TB", "PB"]
        var unit = 0
        var tenths = UInt64(max(0, count)).multipliedReportingOverflow(by: 10).partialValue
        if count > Int64.max / 10 { return "more than 900 PB" }
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        let hasDecimal = unit > 0 && tenths < 1000
        return "\(grouped(Int64(tenths / 10)))\(hasDecimal ? ".\(tenths % 10)" : "") \(units[unit])"
    }

    /// `21,600`.
    package static func grouped(_ number: Int64) -> String {
        let digits = String(number.magnitude)
        var result = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return result
    }

    static func grouped(_ number: Int) -> String { grouped(Int64(number)) }

    /// `950`, `8.2k`, `12k`, `1.2M`: two digits at least, rounded half away from zero. Not for negative numbers.
    static func short(_ number: Double) -> String {
        var (value, unit) = (number, "")
        for larger in ["k", "M", "G"] where value.rounded() >= 1000 { (value, unit) = (value / 1000, larger) }
        let hasDecimal = !unit.isEmpty && (value * 10).rounded() < 100
        return decimal(value, places: hasDecimal ? 1 : 0) + unit
    }

    /// `1 query`, `2 queries`.
    package static func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + "s")"
    }

    /// `2.99 USD`, `free`.
    package static func price(_ amount: Double, _ currency: String?) -> String {
        guard amount != 0 else { return "free" }
        let number = decimal(amount, places: amount == amount.rounded() ? 0 : 2)
        return [number, currency].compactMap(\.self).joined(separator: " ")
    }

    /// With this many decimals, rounded half away from zero: `4.53`. Not for numbers beyond 10¹².
    package static func decimal(_ number: Double, places: Int) -> String {
        guard number.isFinite, number.magnitude < 1e12 else { return "–" }
        let scale = (0..<places).reduce(Int64(1)) { scale, _ in scale * 10 }
        let scaled = Int64((number.magnitude * Double(scale)).rounded())
        let sign = number < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return sign + String(scaled) }
        let fraction = String(scaled % scale)
        return "\(sign)\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }
}
