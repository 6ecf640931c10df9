@_spi(Server) import BenjiProtocol
import Crypto
import RADIUS

/// The name of a session inside the gateway: 96 bits of a SHA-256 over the NAS and its Acct-Session-Id.
///
/// Ten million sessions collide with a probability below 10⁻¹⁵.
struct SessionKey: Hashable, Sendable {
    var a: UInt32
    var b: UInt32
    var c: UInt32

    init(a: UInt32, b: UInt32, c: UInt32) {
        self.a = a
        self.b = b
        self.c = c
    }

    init(scope: String, sessionID: [UInt8]) {
        var scope = scope
        self = scope.withUTF8 { scope in
            withUnsafeTemporaryAllocation(byteCount: scope.count + 1 + sessionID.count, alignment: 1) { name in
                name.copyMemory(from: UnsafeRawBufferPointer(scope))
                name[scope.count] = 0
                sessionID.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: name[(scope.count + 1)...]).copyMemory(from: $0)
                }
                var hash = SHA256()
                hash.update(bufferPointer: UnsafeRawBufferPointer(name))
                return hash.finalize().withUnsafeBytes { digest in
                    func word(_ offset: Int) -> UInt32 {
                        UInt32(bigEndian: digest.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                    }
                    // The all-zero key marks a free place in the table.
                    return SessionKey(a: word(0) | 1, b: word(4), c: word(8))
                }
            }
        }
    }

    /// No session has it: it is the key of an event that names none.
    static let none = SessionKey(a: 0, b: 0, c: 0)

    var hash: UInt64 { UInt64(a ^ c) << 32 | UInt64(b) }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// A change to the directory that one accounting packet asks for, after its sender has been authenticated.
///
/// It holds Calling-Station-Id and IMSI until the register has been asked; nothing keeps it longer.
struct AccountingEvent: Hashable, Sendable {
    enum Kind: UInt8, Sendable, Hashable { case start, interim, stop, reset }

    var kind: Kind
    /// Index of the NAS in the configuration.
    var nas: Int
    /// The NAS as it calls itself: what Accounting-On and -Off concern. A proxy speaks for several.
    var scope: String
    var key: SessionKey
    /// Every name that the packet gives its NAS and its session.
    var names = SessionNames()
    /// When the network says it happened, in seconds since 1970; when it came, if the network does not say.
    var time: UInt32
    /// Whether the network says when it happened. An undated event may be a replay even if it is signed: it can put
    /// sessions in doubt and never names a subscriber.
    var isTimed = true
    var address: InternetAddress?
    var prefix: IPPrefix?
    /// The inside address of a NAT's report about a session of another NAS.
    var internalAddress: InternetAddress?
    var blocks: [PortBlock] = []
    /// Calling-Station-Id as it came; `nil` if the packet does not say whose session it is.
    var calling: String?
    var imsi: String?
    /// `nil` when the packet does not tell.
    var isRoaming: Bool?
    var isMobile = false
    /// A reset that is an Accounting-Off.
    var isOff = false
    /// A Stop that ends the session and not only one of its bearers.
    var endsSession = false

    var timestamp: Timestamp { Timestamp(seconds: Int64(time)) }

    /// A Start of a NAT about an inside address: it names no subscriber and takes no address.
    var isReportOfNAT: Bool { address == nil && prefix == nil && internalAddress != nil }
}

extension AccountingEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "AccountingEvent(\(kind))" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
