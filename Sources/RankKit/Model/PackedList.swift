/// A result list without what its entries said: a few dozen bytes a place, and nothing that holds on to the answer.
package struct PackedList: Sendable, Hashable {
    /// A place after the other: 8 bytes of the app's number (0 where it has none), least first; the length of its
    /// bundle identifier (0 where it could not be read); the identifier.
    package let bytes: [UInt8]

    package init(_ list: ResultList) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(list.count * 40)
        for (index, place) in list.places.enumerated() {
            let text = (place?.bundleID.text ?? "").utf8
            let id = place == nil ? list.unnamed[index] : place?.id
            withUnsafeBytes(of: (id?.number ?? 0).littleEndian) { bytes.append(contentsOf: $0) }
            // A bundle identifier has at most 255 characters, each of one byte.
            bytes.append(UInt8(clamping: text.count))
            bytes.append(contentsOf: text)
        }
        self.bytes = Array(bytes[...])
    }

    /// `nil` where `bytes` are nothing that a list is packed as.
    package init?(bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count > 8 else { return nil }
            let length = Int(rest[rest.startIndex + 8])
            let text = rest.dropFirst(9).prefix(length)
            guard text.count == length, length == 0 || BundleID(String(decoding: text, as: UTF8.self)) != nil else {
                return nil
            }
            rest = rest.dropFirst(9 + length)
        }
        self.bytes = bytes
    }

    package var list: ResultList {
        var places: [SeenApp?] = []
        var unnamed: [Int: AppID] = [:]
        var rest = bytes[...]
        while rest.count > 8 {
            let number = rest.prefix(8).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
            let length = Int(rest[rest.startIndex + 8])
            let text = String(decoding: rest.dropFirst(9).prefix(length), as: UTF8.self)
            let id = number > 0 ? AppID(number) : nil
            let bundleID = BundleID(text)
            if bundleID == nil { unnamed[places.count] = id }
            places.append(bundleID.map { SeenApp(id: id, bundleID: $0) })
            rest = rest.dropFirst(9 + length)
        }
        return ResultList(places: places, unnamed: unnamed)
    }
}
