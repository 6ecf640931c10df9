extension PageJSON {
    /// How deep arrays and objects may nest. A description needs four.
    public static let maximumDepth = 16
    /// How many bytes a text may have. A description needs a few thousand.
    public static let maximumSize = 262_144
    /// How many bytes one string may have. The longest, a term's address, needs less.
    public static let maximumString = 4096
    /// How many members an object or elements an array may have.
    public static let maximumCount = 256

    /// Parses one JSON text in UTF-8.
    ///
    /// Refuses, with the path of the field, all that RFC 8259 does not allow. It also refuses a name that occurs twice
    /// in one object, invalid UTF-8, a lone surrogate and a byte order mark. A number must be a whole count of
    /// thousandths up to ``maximumNumber``. Input beyond one of the limits is refused too: the limits bound work and
    /// memory, not the text.
    public init(parsing bytes: [UInt8]) throws(PageError) {
        var parser = PageJSONParser(bytes)
        self = try parser.parseDocument()
    }

    /// Parses one JSON text.
    public init(parsing text: String) throws(PageError) { try self.init(parsing: Array(text.utf8)) }
}

/// A recursive parser that knows at every moment the path of the value it reads.
struct PageJSONParser {
    let bytes: [UInt8]
    var position = 0
    private var path = "$"

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parseDocument() throws(PageError) -> PageJSON {
        try skipWhitespace()
        let value = try parseValue(depth: 0)
        try skipWhitespace()
        guard position == bytes.count else { throw error("unexpected text after the value") }
        return value
    }

    func error(_ problem: String, at offset: Int? = nil) -> PageError {
        PageError(place: path, problem: problem + " (at byte \(offset ?? position))")
    }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhitespace() throws(PageError) {
        repeat {
            guard position <= PageJSON.maximumSize else {
                throw error("the description has more than \(PageJSON.maximumSize) bytes")
            }
        } while take(0x20) || take(0x0a) || take(0x0d) || take(0x09)
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func parseValue(depth: Int) throws(PageError) -> PageJSON {
        guard depth <= PageJSON.maximumDepth else {
            throw error("nested more than \(PageJSON.maximumDepth) deep")
        }
        guard let byte = current else { throw error("the text ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return try parseObject(depth: depth)
        case UInt8(ascii: "["): return try parseArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
        default: throw error("not a JSON value")
        }
    }

    private mutating func parseWord(_ word: StaticString, _ value: PageJSON) throws(PageError) -> PageJSON {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count else { throw error("not a JSON value") }
        for index in 0..<count where word.utf8Start[index] != bytes[position + index] {
            throw error("not a JSON value")
        }
        position += count
        return value
    }

    private mutating func parseObject(depth: Int) throws(PageError) -> PageJSON {
        position += 1
        var members: [PageJSON.Member] = []
        try skipWhitespace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        let outer = path
        repeat {
            try skipWhitespace()
            let start = position
            guard current == UInt8(ascii: "\"") else { throw error("a member's name must be a string") }
            let name = try parseString()
            path = outer + "." + PageJSON.pathComponent(name)
            for member in members where member.name.sameBytes(as: name) {
                throw error("this name occurs twice in one object", at: start)
            }
            guard members.count < PageJSON.maximumCount else {
                throw error("the object has more than \(PageJSON.maximumCount) members")
            }
            try skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw error("a colon is missing after the name") }
            try skipWhitespace()
            members.append(PageJSON.Member(name, try parseValue(depth: depth + 1)))
            path = outer
            try skipWhitespace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw error("a comma or } is missing in an object") }
        return .object(members)
    }

    private mutating func parseArray(depth: Int) throws(PageError) -> PageJSON {
        position += 1
        var values: [PageJSON] = []
        try skipWhitespace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        let outer = path
        repeat {
            try skipWhitespace()
            path = outer + "[\(values.count)]"
            guard values.count < PageJSON.maximumCount else {
                throw error("the array has more than \(PageJSON.maximumCount) elements")
            }
            values.append(try parseValue(depth: depth + 1))
            path = outer
            try skipWhitespace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw error("a comma or ] is missing in an array") }
        return .array(values)
    }
}

extension PageJSON {
    /// A member's name as a path writes it. A name that is not a plain word is not repeated: it may be anything.
    package static func pathComponent(_ name: String) -> String {
        var count = 0
        for byte in name.utf8 {
            count += 1
            let letter = byte | 0x20
            guard letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || byte == UInt8(ascii: "-") else {
                return "(unprintable)"
            }
        }
        return (1...40).contains(count) ? name : "(unprintable)"
    }
}
