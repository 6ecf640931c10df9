/// A key of an app in clear. Prints nothing of itself; whoever needs the text says so with ``reveal()``.
public struct AppKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    init(_ text: String) { self.text = text }

    public func reveal() -> String { text }
    public var description: String { "AppKey(hidden)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
