/// An app's key in clear text. It never prints itself; ``reveal()`` returns the text.
package struct AppKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    package init(_ text: String) { self.text = text }

    package func reveal() -> String { text }
    package var description: String { "AppKey(hidden)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
