/// One value of a JSON5 document, with the place where it stands.
///
/// Places are byte offsets into the document, so that an edit can leave everything around them alone.
package struct JSON5Node: Sendable, Hashable {
    /// The bytes of the value itself: from its first character to just after its last.
    package let range: Range<Int>
    package let value: Value

    package init(range: Range<Int>, value: Value) {
        self.range = range
        self.value = value
    }

    package enum Value: Sendable, Hashable {
        case null
        case bool(Bool)
        /// May be infinite or not a number: JSON5 permits both.
        case number(Double)
        case string(String)
        case array([JSON5Node])
        /// In the order of the document, duplicates included.
        case object([JSON5Member])
    }

    /// The value of a key of this object.
    package func member(_ key: String) -> JSON5Node? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// What the value is, for people: to follow "not ".
    package var kind: String {
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// A key of an object with its value.
package struct JSON5Member: Sendable, Hashable {
    package let key: String
    /// The bytes of the key, quotes included.
    package let keyRange: Range<Int>
    package let value: JSON5Node
}

/// Why bytes are not a JSON5 document.
package struct JSON5Error: Error, Sendable, Hashable {
    /// The byte at which reading stopped.
    package let offset: Int
    package let problem: String
    package let remedy: String
    /// Where the list, object, text or comment that has no end begins, if that is what is wrong.
    package let openedAt: Int?

    package init(offset: Int, problem: String, remedy: String, openedAt: Int? = nil) {
        self.offset = offset
        self.problem = problem
        self.remedy = remedy
        self.openedAt = openedAt
    }
}
