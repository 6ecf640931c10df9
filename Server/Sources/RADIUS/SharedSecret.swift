/// What a NAS and we both know. Prints as nothing.
public struct SharedSecret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    let bytes: [UInt8]

    /// `nil` for an empty secret, which RFC 2865 §3 forbids.
    public init?(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = Array(bytes)
    }

    /// `nil` for an empty secret, which RFC 2865 §3 forbids.
    public init?(_ text: String) { self.init(Array(text.utf8)) }

    /// Whether it has fewer than the 16 bytes that RFC 2865 §3 recommends.
    public var isShort: Bool { bytes.count < 16 }

    public var description: String { "SharedSecret" }
    public var debugDescription: String { "SharedSecret" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
