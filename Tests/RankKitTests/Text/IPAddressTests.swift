import Testing

@testable import RankKit

@Suite struct IPAddressTests {
    @Test(arguments: [
        "17.253.38.253", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "223.255.255.255",
        "2620:149:a44::1", "2a01:b740::1", "64:ff9b::17.253.38.253",
    ])
    func `hosts of the Internet are public`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1",
        "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
        "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:17.253.38.253", "::ffff:0:17.253.38.253", "fe80::1",
        "febf::1", "fec0::1", "fc00::1", "fd00::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1",
        "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "100::1", "4000::1",
    ])
    func `everything else is not`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic == false)
    }

    @Test(arguments: ["", "127.1", "0x7f.0.0.1", "2130706433", "1.2.3.4 ", "fe80::1%lo", "[::1]", "localhost", "::1::"])
    func `what is not one address as usually written is none`(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `loopback is told from the rest`() throws {
        #expect(try #require(IPAddress("127.8.9.1")).isLoopback)
        #expect(try #require(IPAddress("::1")).isLoopback)
        #expect(try #require(IPAddress("::ffff:127.0.0.1")).isLoopback == false)
        #expect(try #require(IPAddress("128.0.0.1")).isLoopback == false)
    }

    @Test(arguments: ["10.0.0.1", "192.168.1.2", "127.0.0.1", "fd12::1", "::1", "17.253.38.253", "2620:149:a44::1"])
    func `a machine may be named on purpose`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isMachine)
    }

    @Test(arguments: [
        "0.0.0.0", "169.254.169.254", "224.0.0.1", "255.255.255.255", "::", "ff02::1", "fe80::1", "::ffff:10.0.0.1",
        "fd00:ec2::254", "64:ff9b::10.0.0.1", "2002:7f00:1::",
    ])
    func `what is no machine's address may not`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isMachine == false)
    }
}
