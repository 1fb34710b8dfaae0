import Hummingbird
import NIOCore

/// What is known of a request beside itself.
struct SiteContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who is at the other end of the connection; `nil` on a socket of the file system.
    let address: String?
    let connection: Connection
    /// Who asks; set where the door has let them in.
    var visitor: Visitor?
    /// With whom the site's work is shared out; set at the door.
    var client = Client(name: "", isKnown: false)

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress
        connection = Connection(channel: source.channel)
    }
}
