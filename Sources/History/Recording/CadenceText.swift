import Foundation
import GRDB
import RankKit

/// The stored form of cadences: `every 21600`, or `at 03:00,15:00 Europe/Berlin`, one a line.
enum CadenceText {
    static func encode(_ cadences: [Cadence]) -> String {
        cadences.map { cadence in
            switch cadence {
            case .every(let seconds): "every \(seconds)"
            case .at(let times, let zone):
                "at \(times.map(\.description).joined(separator: ",")) \(zone.identifier)"
            }
        }.joined(separator: "\n")
    }

    /// `nil` if `text` is nothing that `encode` writes.
    static func decode(_ text: String) -> [Cadence]? {
        let cadences = text.split(separator: "\n").map { line -> Cadence? in
            let words = line.split(separator: " ")
            switch (words.first, words.count) {
            case ("every", 2):
                return Int64(words[1]).flatMap { Cadence.permittedSeconds.contains($0) ? .every(seconds: $0) : nil }
            case ("at", 3):
                let texts = words[1].split(separator: ",")
                let times = texts.compactMap { TimeOfDay(String($0)) }
                guard !times.isEmpty, times.count == texts.count, let zone = TimeZone(identifier: String(words[2]))
                else { return nil }
                return .at(times, zone)
            default: return nil
            }
        }
        let known = cadences.compactMap { $0 }
        return known.isEmpty || known.count < cadences.count ? nil : known
    }

    /// What a row holds.
    static func stored(_ text: String) throws -> [Cadence] {
        guard let cadences = decode(text) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a cadence that no rankd writes")
        }
        return cadences
    }
}
