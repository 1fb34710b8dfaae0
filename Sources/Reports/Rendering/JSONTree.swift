/// JSON whose keys are not known when the program is built, in the order in which it is to be written.
package indirect enum JSONTree: Sendable {
    case null
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([JSONTree])
    case object([(key: String, value: JSONTree)])
    /// What is JSON already.
    case written(String)

    /// One line of JSON.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return Array((writer.text + "\n").utf8)
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .flag(let flag): writer.bool(flag)
        case .number(let number): writer.integer(number)
        case .text(let text): writer.string(text)
        case .list(let elements): writer.array(elements) { $1.write(to: &$0) }
        case .object(let members):
            writer.object { writer in
                for (key, value) in members {
                    writer.key(encoded: Self.encoded(key))
                    value.write(to: &writer)
                }
            }
        case .written(let json): writer.written(json)
        }
    }

    private static func encoded(_ key: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(key)
        return Array((writer.text + ":").utf8)
    }
}

extension JSONTree: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }
    package init(integerLiteral number: Int) { self = .number(number) }
    package init(arrayLiteral elements: JSONTree...) { self = .list(elements) }
    package init(dictionaryLiteral members: (String, JSONTree)...) {
        self = .object(members.map { (key: $0, value: $1) })
    }
}
