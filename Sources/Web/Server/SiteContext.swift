import Hummingbird
import NIOCore

/// What is known of a request beside itself.
struct SiteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who is at the other end of the connection; `nil` on a socket of the file system.
    let address: String?
    let connection: Connection
    /// Who asks; `AccessGuard` sets it.
    var visitor: Visitor?
    /// The client that this request is counted for; `AccessGuard` sets it.
    var client = Client(name: "", isKnown: false)

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress
        connection = Connection(channel: source.channel)
    }
}
