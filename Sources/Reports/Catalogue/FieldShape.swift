/// What the value of a field can be, for whoever reads the data without having seen it: JSON Schema and the reference in
/// the documentation are made of it.
package indirect enum FieldShape: Sendable, Hashable {
    case text
    /// Text of a form that a regular expression says.
    case pattern(String)
    /// Always this number.
    case constant(Int)
    case integer(minimum: Int?, maximum: Int? = nil)
    case number(minimum: Double?)
    case flag
    /// A moment: ISO 8601 in UTC.
    case time
    /// A day in UTC.
    case date
    /// One of these words.
    case word([String])
    /// Places gained, or that an app entered or left; null where that is not known.
    case change
    case object(ObjectInfo)
    case list(FieldShape)
    /// The same, or null.
    case optional(FieldShape)

    /// How many there are.
    package static var count: FieldShape { .integer(minimum: 0) }
}

/// What is known of a field without its row's type.
package struct FieldInfo: Sendable, Hashable {
    package let key: String
    package let meaning: String?
    package let shape: FieldShape
    /// Whether JSON has it in some cases only; the meaning says in which.
    package var isOptional = false
}

/// What is known of an object without its row's type.
package struct ObjectInfo: Sendable, Hashable {
    /// Objects that occur in several places have one; JSON Schema defines them once.
    package let name: String?
    package let meaning: String?
    package let fields: [FieldInfo]
}
