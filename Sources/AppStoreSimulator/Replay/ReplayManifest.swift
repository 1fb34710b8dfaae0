import Foundation

/// `MANIFEST.json` of a folder of recordings.
struct ReplayManifest: Decodable {
    struct Response: Decodable {
        let file: String
        /// `search` and `lookup` are served; recordings of anything else are left alone.
        let endpoint: String
        let term: String?
        let country: String?
        let entity: String?
        let id: NumberOrText?
        let bundleId: String?
        let status: Int?
        /// `YYYY-MM-DD`, which sorts as text.
        let recordedOn: String?
    }

    let responses: [Response]

    /// An id as manifests write it: a number, or text.
    struct NumberOrText: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int64.self) {
                text = String(number)
            } else {
                text = try container.decode(String.self)
            }
        }
    }
}

/// Why a folder of recordings cannot be replayed.
package struct ReplayError: Error, CustomStringConvertible {
    package let description: String
}
