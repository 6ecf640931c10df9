/// A part of a page description. It is read from JSON and written to it, both with the path of the value, so that an
/// error names the field.
///
/// Writing checks what reading checks. A description that was put together in Swift is thereby held to the same limits
/// as one that came as JSON.
protocol PageValue {
    /// The value that `json`, found at `path`, stands for.
    static func read(_ json: PageJSON, at path: String) throws(PageError) -> Self
    /// The value in its canonical form.
    func written(at path: String) throws(PageError) -> PageJSON
}

/// A value with named fields. One list of fields serves reading and writing, so the two cannot drift apart.
protocol PageObject: PageValue {
    /// The defaults, which a field that is not written keeps.
    init()
    /// Names each field once, in canonical order.
    mutating func code(_ coder: inout PageCoder) throws(PageError)
}

extension PageObject {
    static func read(_ json: PageJSON, at path: String) throws(PageError) -> Self {
        var coder = try PageCoder(reading: json, at: path)
        var value = Self()
        try value.code(&coder)
        try coder.expectEnd()
        return value
    }

    func written(at path: String) throws(PageError) -> PageJSON {
        var coder = PageCoder(writingAt: path)
        // Writing changes nothing; the copy is there because one function serves both ways.
        var copy = self
        try copy.code(&coder)
        return coder.object
    }
}

/// A choice among words.
protocol PageWord: PageValue, RawRepresentable, CaseIterable, Equatable where RawValue == String {}

extension PageWord {
    static func read(_ json: PageJSON, at path: String) throws(PageError) -> Self {
        var words = ""
        if case .string(let string) = json {
            for word in allCases where word.rawValue.sameBytes(as: string) { return word }
        }
        for word in allCases { words += (words.isEmpty ? "" : ", ") + word.rawValue }
        throw PageError(place: path, problem: "must be one of: " + words)
    }

    func written(at path: String) -> PageJSON { .string(rawValue) }
}

extension Bool: PageValue {
    static func read(_ json: PageJSON, at path: String) throws(PageError) -> Bool {
        guard case .bool(let value) = json else {
            throw PageError(place: path, problem: "must be true or false, is " + json.kind)
        }
        return value
    }

    func written(at path: String) -> PageJSON { .bool(self) }
}
