import Foundation
import JSON5

extension WatchlistDecoder {
    /// Seconds below which asking again tells nothing new and only spends requests.
    static let shortestSensibleCadence: Int64 = 15 * 60

    /// Reads `90s`, `15m`, `6h`, `1d`, `2w`.
    mutating func every(_ place: JSON5Node) -> Timing? {
        guard let text = text(place, example: "6h") else { return nil }
        guard let seconds = Self.seconds(of: text) else {
            refuse(
                place, "“\(TextRule.shown(text))” is not a length of time",
                "write a whole number and s, m, h, d or w, such as 15m, 6h or 1d")
            return nil
        }
        guard Cadence.permittedSeconds.contains(seconds) else {
            refuse(place, "“\(TextRule.shown(text))” is not in the range", "write a length from 1s to 4w")
            return nil
        }
        if seconds < Self.shortestSensibleCadence {
            warn(
                place, "asks more often than every 15 minutes",
                "write 1h or longer: ranks move over hours, and Apple allows only about 20 requests a minute")
        }
        return .every(seconds)
    }

    /// `nil` if `text` is not a number and a unit; longer than any permitted length where it does not fit.
    static func seconds(of text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard let last = text.last, let unit = units[last] else { return nil }
        let digits = text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy(JSON5Parser.isDigit) else { return nil }
        let (seconds, overflows) = (Int64(digits) ?? .max).multipliedReportingOverflow(by: unit)
        return overflows ? .max : seconds
    }

    /// Reads `"03:00"` or `["03:00", "15:00"]`.
    mutating func at(_ place: JSON5Node) -> Timing? {
        let places: [JSON5Node]
        if case .array = place.value {
            guard let elements = nonEmpty(place, example: "\"03:00\"") else { return nil }
            places = elements
        } else {
            places = [place]
        }
        var times: Set<TimeOfDay> = []
        for place in places {
            guard let text = text(place, example: "03:00") else { return nil }
            guard let time = TimeOfDay(text) else {
                refuse(
                    place, "“\(TextRule.shown(text))” is not a time of day", "write HH:MM from 00:00 to 23:59")
                return nil
            }
            times.insert(time)
        }
        return .at(times.sorted())
    }

    /// Reads an IANA name such as `Europe/Berlin`.
    mutating func zone(_ place: JSON5Node) -> Cadence.Zone? {
        guard let name = text(place, example: "Europe/Berlin") else { return nil }
        let reading = zones[name] ?? Self.readZone(name)
        zones[name] = reading
        if case .zone(let zone) = reading { return zone }
        let meant = nearest(to: name, in: TimeZone.knownTimeZoneIdentifiers)
        refuse(
            place, "unknown time zone “\(TextRule.shown(name))”",
            meant.map { "did you mean “\($0)”?" } ?? "write an IANA name such as Europe/Berlin, or UTC")
        return nil
    }

    /// Foundation also takes abbreviations such as `CST`, which mean different zones to different people.
    private static func readZone(_ name: String) -> ZoneReading {
        guard name == "UTC" || name == "GMT" || name.contains("/"), let zone = TimeZone(identifier: name) else {
            return .unknown
        }
        return .zone(Cadence.Zone(name: name, timeZone: zone))
    }

    /// The cadence that `settings` come to, once the zone of `at` is known.
    mutating func cadence(_ settings: LineSettings) -> Cadence {
        switch settings.timing {
        case .every(let seconds): return .every(seconds: seconds)
        case .at(let times):
            if let zone = settings.zone { return .at(times, zone.timeZone) }
            if let place = settings.timingPlace, expansion.zoneless.insert(place.range.lowerBound).inserted {
                warn(
                    place, "times of day without a time zone are read as UTC",
                    "set timeZone here or in defaults, such as \"Europe/Berlin\"")
            }
            return .at(times, .gmt)
        }
    }
}
