import Foundation
import Testing

@testable import RankKit

@Suite struct ListeningFailureTests {
    @Test(arguments: [
        (
            EADDRINUSE, 8_480,
            "another program already listens there; stop that program, or choose another port, or port 0"
        ),
        (EACCES, 80, "you may not use this port; choose a port from 1024 on, and let a web server pass requests on"),
        (EADDRNOTAVAIL, 0, "this machine does not have that address; choose an address of this machine"),
        (EAFNOSUPPORT, 0, "this machine does not have such addresses; choose an address of this machine"),
        (ENOBUFS, 8_480, "No buffer space available; choose another address, or port 0 for a free one"),
    ])
    func `a port says where it was to be, why it is not, and what to do`(code: Int32, port: Int, words: String) {
        let failure = ListeningFailure(HostPort(host: "::1", port: port), option: "--metrics", .init(code: code))
        #expect(failure.description.hasPrefix("cannot listen on [::1]:\(port) (--metrics): \(words)"), "\(failure)")
    }

    @Test(arguments: [
        (
            ListeningFailure.Cause.inUse,
            "another program already listens there; stop that program, or choose another path"
        ),
        (.notPermitted, "you may not make a socket in that folder; choose a folder that you may write in"),
        (.init(code: ENOENT), "its folder does not exist; make the folder first, or choose another path"),
        (
            .closedSocket,
            "a socket with this name is there, and you may not use it; run this as the user that owns it, or choose "
                + "another path"
        ),
        (.notASocket, "a file that is not a socket has this name, and it was left unchanged; choose another path"),
    ])
    func `so does a socket`(cause: ListeningFailure.Cause, words: String) {
        let failure = ListeningFailure(socket: "/run/web.sock", option: "--listen", cause)
        #expect(failure.description == "cannot listen on unix:/run/web.sock (--listen): \(words)")
    }
}
