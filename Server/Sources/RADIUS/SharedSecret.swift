/// A secret that a NAS shares with the gateway. Its description omits the value.
package struct SharedSecret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let bytes: [UInt8]

    /// `nil` for an empty secret, which RFC 2865 §3 forbids.
    package init?(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = Array(bytes)
    }

    /// `nil` for an empty secret, which RFC 2865 §3 forbids.
    package init?(_ text: String) { self.init(Array(text.utf8)) }

    /// The fixed secret of RADIUS over TLS, where certificates authenticate both ends (RFC 6614 §2.3).
    package static let radSec = SharedSecret(bytes: Array("radsec".utf8))

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Whether it has fewer than the 16 bytes that RFC 2865 §3 recommends.
    package var isShort: Bool { bytes.count < 16 }

    package var description: String { "SharedSecret" }
    package var debugDescription: String { "SharedSecret" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
