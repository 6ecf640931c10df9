extension PageJSONParser {
    private func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// Reads a number as decimal digits and an exponent, and makes thousandths of them without ever going through a
    /// binary fraction.
    mutating func parseNumber() throws(PageError) -> PageJSON {
        let start = position
        let negative = take(UInt8(ascii: "-"))
        var digits: [UInt8] = []
        var exponent = 0
        guard isDigit(current) else { throw error("a number needs a digit") }
        if take(UInt8(ascii: "0")) {
            guard !isDigit(current) else { throw error("a number must not begin with a zero", at: start) }
        } else {
            try takeDigits(into: &digits)
        }
        if take(UInt8(ascii: ".")) {
            guard isDigit(current) else { throw error("a number needs a digit after its point") }
            let whole = digits.count
            let before = position
            try takeDigits(into: &digits)
            exponent -= position - before
            // Zeros directly after the point of a number below one are places, not digits.
            if whole == 0 { while digits.first == 0 { digits.removeFirst() } }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            let down = take(UInt8(ascii: "-"))
            if !down { _ = take(UInt8(ascii: "+")) }
            guard isDigit(current) else { throw error("a number needs a digit in its exponent") }
            var value = 0
            while isDigit(current) {
                value = min(value * 10 + Int(bytes[position] - UInt8(ascii: "0")), 1_000_000)
                position += 1
            }
            exponent += down ? -value : value
        }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        guard !digits.isEmpty else { return .number(thousandths: 0) }
        // In thousandths the value is digits × 10^(exponent + 3).
        let shift = exponent + 3
        guard shift >= 0 else { throw error("a number may have at most three decimals", at: start) }
        // A million has ten digits when counted in thousandths.
        guard digits.count + shift <= 10 else { throw tooLarge(start) }
        var thousandths: Int64 = 0
        for digit in digits { thousandths = thousandths * 10 + Int64(digit) }
        for _ in 0..<shift { thousandths *= 10 }
        guard thousandths <= PageJSON.maximumNumber * 1000 else { throw tooLarge(start) }
        return .number(thousandths: negative ? -thousandths : thousandths)
    }

    private func tooLarge(_ start: Int) -> PageError {
        error("a number must lie within ±\(PageJSON.maximumNumber)", at: start)
    }

    private mutating func takeDigits(into digits: inout [UInt8]) throws(PageError) {
        while let byte = current, isDigit(byte) {
            guard digits.count < 32 else { throw error("a number has more than 32 digits") }
            digits.append(byte - UInt8(ascii: "0"))
            position += 1
        }
    }

    mutating func parseString() throws(PageError) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while true {
            guard let byte = current else { throw error("a string does not end", at: start) }
            guard text.count <= PageJSON.maximumString else {
                throw error("the text has more than \(PageJSON.maximumString) bytes", at: start)
            }
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(strictUTF8: text) else {
                    throw error("the text is not valid UTF-8", at: start)
                }
                return string
            case UInt8(ascii: "\\"): try parseEscape(into: &text)
            case 0..<0x20: throw error("a control character in a string must be escaped", at: position - 1)
            default: text.append(byte)
            }
        }
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(PageError) {
        guard let byte = current else { throw error("a string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let start = position - 2
            var code = try parseFourDigits()
            if (0xd800..<0xdc00).contains(code) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw lonely(start) }
                let low = try parseFourDigits()
                guard (0xdc00..<0xe000).contains(low) else { throw lonely(start) }
                code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw lonely(start) }
            UTF8.encode(scalar).map { text += $0 }
        default: throw error("an unknown escape in a string", at: position - 1)
        }
    }

    private func lonely(_ start: Int) -> PageError { error("half of a surrogate pair", at: start) }

    private mutating func parseFourDigits() throws(PageError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = PageJSON.hexadecimalValue(byte) else {
                throw error("\\u needs four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

extension PageJSON {
    /// The value of a hexadecimal digit of either case.
    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension String {
    /// The text of `bytes` if they are valid UTF-8. (`String(validating:as:)` of the standard library needs iOS 18.)
    init?(strictUTF8 bytes: [UInt8]) {
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
