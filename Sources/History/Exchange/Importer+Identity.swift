import Foundation
import GRDB

/// Which file an import reads.
///
/// The same file brings nothing twice. Its header alone does not tell it from another one: two machines that export in
/// the same second, with as many checks, write the same header.
struct ExportIdentity {
    /// FNV-1a of the header's line.
    let header: String
    /// Of all lines but the last.
    let checksum: Checksum

    var name: String { "\(header)-\(checksum.text)" }

    static func fingerprint(of header: [UInt8]) -> String {
        String(header.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }
}

extension Importer {
    /// A block that was taken for this file's is another one's, with the same header.
    struct OtherFile: Error {}

    /// Whether the blocks named `brought` are this file's beyond doubt. Earlier versions noted the header alone.
    var isSurelyBrought: Bool { brought == nil || brought == identity?.name }

    /// Reads the file once beforehand where one with its header has come before. Any other is read once.
    mutating func identify(_ database: Database, _ work: BlockingWork) throws {
        let blocks = try RecordedOrder.blocks(in: database)
        guard !blocks.isEmpty else { return }
        guard let line = try reader().line() else { return }
        let header = ExportIdentity.fingerprint(of: line)
        guard blocks.contains(where: { $0.file == header || $0.file.hasPrefix("\(header)-") }) else { return }
        if file == LineReader.standardInput {
            copy = try SpooledInput(after: input.beginning, in: input.temporaryFolder, work)
        }
        let reader = try reader()
        var checksum = Checksum()
        var last: [UInt8]?
        while let line = try reader.line() {
            if let last { checksum.add(last) }
            last = line
            if reader.number.isMultiple(of: 500) { try work.checkCancellation() }
        }
        identity = ExportIdentity(header: header, checksum: checksum)
    }

    /// Under which names its blocks may be known, likeliest first; `nil` for none.
    func formerNames(_ database: Database) throws -> [String?] {
        guard let identity else { return [nil] }
        let names = Set(try RecordedOrder.blocks(in: database).map(\.file))
        if names.contains(identity.name) { return [identity.name] }
        return names.contains(identity.header) ? [identity.header, nil] : [nil]
    }

    /// Gives what the file has brought, now or before, its name.
    mutating func name(_ checksum: Checksum, _ database: Database) throws {
        let name = ExportIdentity(header: block.file, checksum: checksum).name
        if let identity, identity.name != name {
            throw refusal(nil, "the file changed while it was read", "import it again: \(Self.isLeft)")
        }
        block.file = name
        for index in blocks.indices where blocks[index].file == brought { blocks[index].file = name }
        try RecordedOrder.keep(blocks + (block.first <= block.last ? [block] : []), in: database)
    }

    /// Reads the file from its beginning.
    func reader() throws -> LineReader {
        if let copy { return try LineReader(file, copy: copy) }
        return try LineReader(file, after: input.beginning)
    }
}
