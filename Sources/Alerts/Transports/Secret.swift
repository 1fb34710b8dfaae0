/// Text that must not be shown: whatever prints the value prints “(secret)”.
package struct Secret: Sendable, Hashable {
    /// The text itself, for whoever sends it where it belongs.
    package let revealed: String

    package init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
