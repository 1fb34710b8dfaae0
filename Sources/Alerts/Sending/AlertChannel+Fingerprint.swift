import Crypto
internal import Foundation
package import RankKit

extension AlertChannel {
    /// Another text for other settings; what is in it cannot be had out of it. The history keeps it, so that it can be seen
    /// whether rankd has read what the watchlist says by now.
    package var fingerprint: String {
        Data(SHA256.hash(data: Data("\(self)".utf8)).prefix(12)).base64EncodedString()
    }
}
