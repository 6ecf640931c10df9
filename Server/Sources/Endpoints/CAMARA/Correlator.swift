import HTTPTypes
import Hummingbird
import OpenIDProvider

/// `x-correlator`: any answer returns the value that was sent, unless it is malformed.
enum Correlator: Hashable {
    case absent
    case text(String)
    case malformed
}

extension Correlator {
    // A token of RFC 9110 §5.6.2.
    static let header = HTTPField.Name("x-correlator")!

    /// `^[a-zA-Z0-9-_:;.\/<>{}]{0,256}$`
    init(_ headers: HTTPFields) {
        let values = headers[values: Self.header]
        guard let value = values.first else {
            self = .absent
            return
        }
        let isPlain = value.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            default: "-_:;./<>{}".utf8.contains(byte)
            }
        }
        self = values.count == 1 && isPlain && value.utf8.count <= 256 ? .text(value) : .malformed
    }
}
