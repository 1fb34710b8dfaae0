import Foundation

/// What `rankctl report --format json` prints, as a script would read it.
package struct StandingsDocument: Decodable {
    package struct Row: Decodable {
        package struct Good: Decodable, Equatable {
            package let position: Int?
            package let within: Int
            package let checkedAt: String
        }

        package let query: String
        package let country: String
        package let platform: String
        package let bundleId: String
        package let appId: Int64?
        package let state: String
        package let position: Int?
        package let within: Int?
        package let checkedAt: String?
        package let reason: String?
        package let lastGood: Good?
    }

    package let version: Int
    package let standings: [Row]

    package init(_ text: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }
}
