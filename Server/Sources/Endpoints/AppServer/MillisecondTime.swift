import BenjiProtocol
import Requests

/// The times of two vendors' requests: thirteen digits, milliseconds since 1970.
enum MillisecondTime {
    /// `nil` unless the text is thirteen digits: another unit is a mistake of the caller's, not a time.
    static func parse(_ text: String) -> Timestamp? {
        guard text.utf8.count == 13, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text).map { Timestamp(milliseconds: $0) }
    }
}

extension CallerFields {
    /// A time as it was sent, which is how it was signed.
    func millisecondTime(_ name: String) throws(Refusal) -> String? {
        guard let text = try text(name, invalid: .timestampInvalid) else { return nil }
        guard MillisecondTime.parse(text) != nil else {
            throw Refusal(.timestampInvalid, "\(path).\(name): must be thirteen digits, milliseconds since 1970")
        }
        return text
    }
}
