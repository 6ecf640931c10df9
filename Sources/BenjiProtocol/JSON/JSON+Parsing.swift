/// Why a text is not the expected JSON: the place and the problem. Never repeats the text itself, which may hold a
/// secret.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where: a path such as `$.body.token`, or a byte offset when the text is not JSON at all.
    public var place: String
    public var problem: String

    public init(place: String, problem: String) {
        self.place = place
        self.problem = problem
    }

    public var description: String { "\(place): \(problem)" }
}

extension JSON {
    /// How deep arrays and objects may nest. Our messages need four.
    public static let maximumDepth = 32

    /// Parses one JSON text in UTF-8.
    ///
    /// Refuses anything RFC 8259 does not allow, a name that occurs twice in one object, and nesting beyond
    /// ``maximumDepth``. Also refuses a byte order mark, invalid UTF-8 and a lone surrogate.
    public init(parsing bytes: some Collection<UInt8>) throws(JSONError) {
        var parser = JSONParser(Array(bytes))
        self = try parser.parseDocument()
    }

    public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}

private struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parseDocument() throws(JSONError) -> JSON {
        skipWhitespace()
        let value = try parseValue(depth: 0)
        skipWhitespace()
        guard position == bytes.count else { throw error("unexpected text after the value") }
        return value
    }

    private func error(_ problem: String, at offset: Int? = nil) -> JSONError {
        JSONError(place: "byte \(offset ?? position)", problem: problem)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhitespace() {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func parseValue(depth: Int) throws(JSONError) -> JSON {
        guard depth <= JSON.maximumDepth else { throw error("nested more than \(JSON.maximumDepth) deep") }
        guard let byte = current else { throw error("the text ends where a value is expected") }
        switch byte {
        case 0x7b: return try parseObject(depth: depth)
        case 0x5b: return try parseArray(depth: depth)
        case 0x22: return .string(try parseString())
        case 0x74: return try parseWord("true", .bool(true))
        case 0x66: return try parseWord("false", .bool(false))
        case 0x6e: return try parseWord("null", .null)
        case 0x2d, 0x30...0x39: return try parseNumber()
        default: throw error("not a JSON value")
        }
    }

    private mutating func parseWord(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
        guard bytes[position...].starts(with: word.utf8) else { throw error("not a JSON value") }
        position += word.utf8.count
        return value
    }

    private mutating func parseObject(depth: Int) throws(JSONError) -> JSON {
        position += 1
        var members: [JSON.Member] = []
        // Of the objects with many members alone: to look through few takes less than to hash their names.
        var names: Set<String> = []
        let few = 16
        skipWhitespace()
        if take(0x7d) { return .object([]) }
        repeat {
            skipWhitespace()
            let start = position
            guard current == 0x22 else { throw error("a member's name must be a string") }
            let name = try parseString()
            if members.count == few { names = Set(members.map(\.name)) }
            let isNew =
                members.count < few ? !members.contains { $0.name == name } : names.insert(name).inserted
            guard isNew else { throw error("a name occurs twice in one object", at: start) }
            skipWhitespace()
            guard take(0x3a) else { throw error("a colon is missing after a name") }
            skipWhitespace()
            members.append(JSON.Member(name, try parseValue(depth: depth + 1)))
            skipWhitespace()
        } while take(0x2c)
        guard take(0x7d) else { throw error("a comma or } is missing in an object") }
        return .object(members)
    }

    private mutating func parseArray(depth: Int) throws(JSONError) -> JSON {
        position += 1
        var values: [JSON] = []
        skipWhitespace()
        if take(0x5d) { return .array([]) }
        repeat {
            skipWhitespace()
            values.append(try parseValue(depth: depth + 1))
            skipWhitespace()
        } while take(0x2c)
        guard take(0x5d) else { throw error("a comma or ] is missing in an array") }
        return .array(values)
    }

    private mutating func parseNumber() throws(JSONError) -> JSON {
        let start = position
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
        _ = take(0x2d)
        if !take(0x30) {
            guard isDigit(current) else { throw error("a number needs a digit") }
            while isDigit(current) { position += 1 }
        }
        if take(0x2e) {
            guard isDigit(current) else { throw error("a number needs a digit after its point") }
            while isDigit(current) { position += 1 }
        }
        if current == 0x65 || current == 0x45 {
            position += 1
            if current == 0x2b || current == 0x2d { position += 1 }
            guard isDigit(current) else { throw error("a number needs a digit in its exponent") }
            while isDigit(current) { position += 1 }
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func parseString() throws(JSONError) -> String {
        let start = position
        position += 1
        // Most strings are plain ASCII: their bytes are their text.
        var end = position
        while end < bytes.count, (0x20..<0x80).contains(bytes[end]), bytes[end] != 0x22, bytes[end] != 0x5c { end += 1 }
        let plain = bytes[position..<end]
        position = end
        if take(0x22) { return String(decoding: plain, as: UTF8.self) }
        var text = Array(plain)
        while true {
            guard let byte = current else { throw error("a string does not end", at: start) }
            position += 1
            switch byte {
            case 0x22:
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error("a string is not valid UTF-8", at: start)
                }
                return string
            case 0x5c: try parseEscape(into: &text)
            case 0..<0x20: throw error("a control character in a string must be escaped", at: position - 1)
            default: text.append(byte)
            }
        }
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = current else { throw error("a string does not end") }
        position += 1
        switch byte {
        case 0x22, 0x5c, 0x2f: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0c)
        case 0x6e: text.append(0x0a)
        case 0x72: text.append(0x0d)
        case 0x74: text.append(0x09)
        case 0x75:
            let start = position - 2
            var code = UInt32(try parseFourDigits())
            if (0xd800..<0xdc00).contains(code) {
                guard take(0x5c), take(0x75) else { throw error("half of a surrogate pair", at: start) }
                let low = UInt32(try parseFourDigits())
                guard (0xdc00..<0xe000).contains(low) else { throw error("half of a surrogate pair", at: start) }
                code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair", at: start) }
            text.append(contentsOf: String(Character(scalar)).utf8)
        default: throw error("an unknown escape in a string", at: position - 1)
        }
    }

    private mutating func parseFourDigits() throws(JSONError) -> UInt16 {
        guard position + 4 <= bytes.count,
            let high = Hexadecimal.decode(String(decoding: bytes[position..<position + 4], as: UTF8.self)),
            high.count == 2
        else { throw error("\\u needs four hexadecimal digits") }
        position += 4
        return UInt16(high[0]) << 8 | UInt16(high[1])
    }
}

extension String {
    /// The text of `bytes` if they are valid UTF-8. (`String(validating:as:)` of the standard library needs iOS 18.)
    init?(validating bytes: [UInt8], as encoding: UTF8.Type) {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var scalars = String.UnicodeScalarView()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): scalars.append(scalar)
            case .emptyInput:
                self = String(scalars)
                return
            case .error: return nil
            }
        }
    }
}
