import Foundation

/// What `rankctl report --format json` prints, as a script would read it.
struct StandingsDocument: Decodable {
    struct Row: Decodable {
        struct Good: Decodable, Equatable {
            let position: Int?
            let within: Int
            let checkedAt: String
        }

        let query: String
        let country: String
        let platform: String
        let bundleId: String
        let appId: Int64?
        let state: String
        let position: Int?
        let within: Int?
        let checkedAt: String?
        let reason: String?
        let lastGood: Good?
    }

    let version: Int
    let standings: [Row]

    init(_ text: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }
}
