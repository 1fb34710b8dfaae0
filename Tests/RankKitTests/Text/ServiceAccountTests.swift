import Testing

@testable import RankKit

/// A remedy names a user and a command only if they are here.
@Suite struct ServiceAccountTests {
    @Test(arguments: [
        (true, true, "as the user of rankd: sudo -u rankd …", "sudo reload it"),
        (true, false, "as the user rankd", "as root: reload it"),
        (false, true, "as the user that rankd runs as", "sudo reload it"),
        (false, false, "as the user that rankd runs as", "as root: reload it"),
    ]) func `what is said is of this machine`(isHere: Bool, hasSudo: Bool, service: String, root: String) {
        let account = ServiceAccount(isHere: isHere, hasSudo: hasSudo)
        #expect(account.asService == service)
        #expect(account.asRoot("reload it") == root)
    }
}
