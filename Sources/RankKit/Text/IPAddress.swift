import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A numeric address, of which it can be said what kind of network it belongs to.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four of IPv4, sixteen of IPv6, in the order of the network.
    package let bytes: [UInt8]
    package let description: String

    /// `nil` for anything but one address as it is usually written; an interface behind `%` is refused.
    package init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
        description = text
    }

    /// The IPv4 address that an IPv6 one stands for (RFC 4291, 2.5.5.2), on a socket that takes both.
    private var mapped: ArraySlice<UInt8>? {
        bytes.count == 16 && bytes[..<12] == [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] ? bytes[12...] : nil
    }

    /// By what its owner is counted: an IPv6 network of 64 bits is one subscriber's (RFC 6177), who may take any address
    /// of it, and all of loopback is this machine, whose users may take any address of that.
    package var place: String {
        if isLoopback || mapped?.first == 127 { return "loopback" }
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        if let mapped { return mapped.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":") + "::/64"
    }

    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whether it is a host of the public Internet: nothing on this machine, in a private or shared network, of a link,
    /// a group, or a range kept for special purposes (IANA's registries, RFC 6890).
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialIPv4.contains { $0.contains(bytes) } }
        // Behind NAT64 (RFC 6052) an IPv4 host is reached under an address that ends with its own.
        if Self.nat64.contains(bytes) { return !Self.specialIPv4.contains { $0.contains(Array(bytes.suffix(4))) } }
        // Everything else that is public begins with 001 (RFC 4291); IPv4-mapped addresses do not.
        return Self.globalIPv6.contains(bytes) && !Self.specialIPv6.contains { $0.contains(bytes) }
    }

    /// Whether it may be connected to where somebody named the host on purpose: one machine, and not a group of them, an
    /// address of nobody, a machine under the address of another protocol, or the metadata service of a cloud.
    package var isMachine: Bool {
        if bytes.count == 4 {
            return bytes[0] != 0 && bytes[0] < 224 && !(bytes[0] == 169 && bytes[1] == 254)
        }
        if isLoopback || isPublic { return true }
        // Unique local addresses (RFC 4193).
        return bytes[0] & 0xFE == 0xFC && !Self.metadataIPv6.contains(bytes)
    }

    private struct Range {
        let prefix: [UInt8]
        let bits: Int

        func contains(_ bytes: [UInt8]) -> Bool {
            for bit in 0..<bits {
                let mask = 0x80 as UInt8 >> UInt8(bit % 8)
                let wanted = bit / 8 < prefix.count ? prefix[bit / 8] : 0
                if (bytes[bit / 8] ^ wanted) & mask != 0 { return false }
            }
            return true
        }
    }

    private static let specialIPv4 = [
        Range(prefix: [0], bits: 8), Range(prefix: [10], bits: 8), Range(prefix: [100, 64], bits: 10),
        Range(prefix: [127], bits: 8), Range(prefix: [169, 254], bits: 16), Range(prefix: [172, 16], bits: 12),
        Range(prefix: [192, 0, 0], bits: 24), Range(prefix: [192, 0, 2], bits: 24),
        Range(prefix: [192, 88, 99], bits: 24), Range(prefix: [192, 168], bits: 16),
        Range(prefix: [198, 18], bits: 15), Range(prefix: [198, 51, 100], bits: 24),
        Range(prefix: [203, 0, 113], bits: 24), Range(prefix: [224], bits: 4), Range(prefix: [240], bits: 4),
    ]
    /// Where Amazon's machines ask about themselves, `fd00:ec2::254`.
    private static let metadataIPv6 = Range(prefix: [0xFD, 0x00, 0x0E, 0xC2], bits: 32)
    private static let nat64 = Range(prefix: [0x00, 0x64, 0xFF, 0x9B], bits: 96)
    private static let globalIPv6 = Range(prefix: [0x20], bits: 3)
    /// Protocol assignments with Teredo, documentation (twice), and 6to4, which hides an IPv4 address.
    private static let specialIPv6 = [
        Range(prefix: [0x20, 0x01], bits: 23), Range(prefix: [0x20, 0x01, 0x0D, 0xB8], bits: 32),
        Range(prefix: [0x20, 0x02], bits: 16), Range(prefix: [0x3F, 0xFF], bits: 20),
    ]
}
