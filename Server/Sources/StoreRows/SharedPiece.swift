import BenjiProtocol
package import Foundation

/// The piece of a signed consent that says what the page showed.
package enum SharedPiece {
    /// Returns the piece's place in a compact JWS: the base64url of the payload's `content` object. Characters at its
    /// ends that also encode neighbouring bytes are left out. `nil` for a record of another form.
    package static func range(in record: Data) -> Range<Int>? {
        guard let first = record.firstIndex(of: UInt8(ascii: ".")), let last = record.lastIndex(of: UInt8(ascii: ".")),
            first < last, let payload = Base64URL.decode(String(decoding: record[(first + 1)..<last], as: UTF8.self)),
            let content = content(of: payload)
        else { return nil }
        // Four characters are three bytes.
        let start = (content.lowerBound + 2) / 3 * 4
        let end = content.upperBound / 3 * 4
        return start < end ? (first + 1 + start)..<(first + 1 + end) : nil
    }

    private static func content(of payload: [UInt8]) -> Range<Int>? {
        guard let name = Data(payload).range(of: Data("\"content\":{".utf8)) else { return nil }
        let start = name.upperBound - 1
        var depth = 0
        var isInString = false
        var isEscaped = false
        for index in start..<payload.count {
            switch (payload[index], isInString) {
            case _ where isEscaped: isEscaped = false
            case (UInt8(ascii: "\\"), true): isEscaped = true
            case (UInt8(ascii: "\""), _): isInString.toggle()
            case (UInt8(ascii: "{"), false): depth += 1
            case (UInt8(ascii: "}"), false):
                depth -= 1
                if depth == 0 { return start..<(index + 1) }
            default: break
            }
        }
        return nil
    }
}
