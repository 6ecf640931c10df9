import BenjiProtocol

@testable import RADIUS

/// Bytes from outside, and a random generator whose numbers are the same in every run.
enum Vectors {
    /// RFC 2865 §7.1's secret.
    static let secret = SharedSecret("xyzzy5461")!

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        Hexadecimal.decode(hexadecimal.filter { !$0.isWhitespace })!
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

extension Vectors {
    /// `radclient … acct xyzzy5461` of FreeRADIUS 3.2: a Start with most of what a packet gateway sends, and two
    /// Proxy-States.
    static let start = bytes(
        """
        04df00dae65f6fd5be1e92abfb43623cddb97580 280600000001 2c1230413030303030313030303041424344 04060a000001
        20077067772d31 080664400102 6114004020010db80001000200000000 00000000
        1f0f38363133383030313338303030 1e07636d6e6574 370668e77800 290600000003
        1a17000028af0111343630303031323334353637383930 1a0d000028af08073436303030 1a0d000028af12073436303030
        1a09000028af150306 1a09000028af0b03ff f11b060306cb007107 080600000001 090600000400 0a06000007ff
        21040102 210303
        """)

    /// The same tool: a Stop with Message-Authenticator and Huawei's three NAT attributes.
    static let stop = bytes(
        """
        04cd00531f336f85def8072ec397aa002d3169aa 280600000002 2c0361 5012f33ebc193fdfe9fec6bd98ba647f7321
        1a0c000007dba106cb007109 1a0c000007dba20600001388 1a0c000007dba3060000176f
        """)

    /// The same tool: `status`.
    static let statusServer = bytes("0cd9002690c16204f34df01b76fcc5cc97e4cbbc5012169331654468b6530012459b09155ca4")
}
