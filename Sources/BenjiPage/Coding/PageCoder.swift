/// Goes through the fields of one object, either reading them or writing them.
struct PageCoder {
    private let path: String
    private let isReading: Bool
    /// When reading, those that no field has taken yet; when writing, those written so far.
    private var members: [PageJSON.Member]

    init(reading json: PageJSON, at path: String) throws(PageError) {
        guard case .object(let members) = json else {
            throw PageError(place: path, problem: "must be an object, is " + json.kind)
        }
        self.path = path
        self.members = members
        isReading = true
    }

    init(writingAt path: String) {
        self.path = path
        members = []
        isReading = false
    }

    /// The written object.
    var object: PageJSON { .object(members) }

    /// Refuses members that no field has taken: a misspelt setting must not be silently without effect.
    func expectEnd() throws(PageError) {
        guard let member = members.first else { return }
        throw PageError(place: place(member.name), problem: "there is no such field")
    }

    /// An error at one field of this object.
    func error(_ name: String, _ problem: String) -> PageError { PageError(place: place(name), problem: problem) }

    private func place(_ name: String) -> String { path + "." + PageJSON.pathComponent(name) }

    private mutating func take(_ name: String) -> PageJSON? {
        for index in members.indices where members[index].name.sameBytes(as: name) {
            return members.remove(at: index).value
        }
        return nil
    }

    /// A field that keeps its default when it is not there.
    mutating func callAsFunction<Value: PageValue>(_ name: String, _ value: inout Value) throws(PageError) {
        if isReading {
            if let json = take(name) { value = try Value.read(json, at: place(name)) }
        } else {
            members.append(PageJSON.Member(name, try value.written(at: place(name))))
        }
    }

    /// An object. Fields that the JSON object lacks keep the values that they have here.
    mutating func callAsFunction<Object: PageObject>(_ name: String, _ value: inout Object) throws(PageError) {
        if isReading {
            guard let json = take(name) else { return }
            var coder = try PageCoder(reading: json, at: place(name))
            try value.code(&coder)
            try coder.expectEnd()
        } else {
            members.append(PageJSON.Member(name, try value.written(at: place(name))))
        }
    }

    /// A field that must be there.
    mutating func required<Value: PageValue>(_ name: String, _ value: inout Value) throws(PageError) {
        if isReading {
            guard let json = take(name) else { throw PageError(place: place(name), problem: "is missing") }
            value = try Value.read(json, at: place(name))
        } else {
            members.append(PageJSON.Member(name, try value.written(at: place(name))))
        }
    }

    /// A field that may be missing and is not written when it is.
    mutating func callAsFunction<Value: PageValue>(_ name: String, _ value: inout Value?) throws(PageError) {
        if isReading {
            if let json = take(name) { value = try Value.read(json, at: place(name)) }
        } else if let value {
            members.append(PageJSON.Member(name, try value.written(at: place(name))))
        }
    }

    /// A list of at most `limit` values.
    mutating func callAsFunction<Value: PageValue>(
        _ name: String, _ values: inout [Value], limit: Int, least: Int = 0
    ) throws(PageError) {
        let place = place(name)
        var written: [PageJSON] = []
        if isReading {
            guard let json = take(name) else { return }
            guard case .array(let elements) = json else {
                throw PageError(place: place, problem: "must be an array, is " + json.kind)
            }
            values = []
            for index in elements.indices {
                values.append(try Value.read(elements[index], at: place + "[\(index)]"))
            }
        } else {
            for index in values.indices { written.append(try values[index].written(at: place + "[\(index)]")) }
            members.append(PageJSON.Member(name, .array(written)))
        }
        guard values.count >= least, values.count <= limit else {
            throw PageError(place: place, problem: "must have \(least) to \(limit) elements, has \(values.count)")
        }
    }

    /// A set of words: each at most once; written in the order in which the words are declared.
    mutating func words<Word: PageWord>(_ name: String, _ words: inout [Word], least: Int = 0) throws(PageError) {
        var ordered: [Word] = []
        let given = words
        if !isReading { words = Word.allCases.filter { given.contains($0) } }
        try self(name, &words, limit: Word.allCases.count, least: least)
        for word in Word.allCases where words.contains(word) { ordered.append(word) }
        guard ordered.count == words.count else {
            throw PageError(place: place(name), problem: "must name each word at most once")
        }
        words = ordered
    }

    /// A number within a range, in thousandths.
    mutating func number(_ name: String, _ value: inout Double, in range: ClosedRange<Double>) throws(PageError) {
        let place = place(name)
        if isReading {
            guard let json = take(name) else { return }
            guard case .number(let thousandths) = json else {
                throw PageError(place: place, problem: "must be a number, is " + json.kind)
            }
            value = Double(thousandths) / 1000
        }
        // NaN lies in no range.
        guard value >= range.lowerBound, value <= range.upperBound, let json = PageJSON.number(value) else {
            throw PageError(
                place: place,
                problem: "must lie within \(Self.digits(range.lowerBound)) and \(Self.digits(range.upperBound))")
        }
        if !isReading { members.append(PageJSON.Member(name, json)) }
    }

    /// As ``number(_:_:in:)``, for a number that may be missing.
    mutating func number(_ name: String, _ value: inout Double?, in range: ClosedRange<Double>) throws(PageError) {
        if isReading {
            guard members.contains(where: { $0.name.sameBytes(as: name) }) else { return }
            var found = range.lowerBound
            try number(name, &found, in: range)
            value = found
        } else if var present = value {
            try number(name, &present, in: range)
        }
    }

    private static func digits(_ value: Double) -> String { PageJSON.number(value)?.text ?? "" }

    /// A string that `problem` finds nothing wrong with.
    mutating func string(
        _ name: String, _ value: inout String, _ problem: (String) -> String?
    ) throws(PageError) {
        if isReading {
            guard let json = take(name) else { return try check(name, value, problem) }
            guard case .string(let string) = json else {
                throw PageError(place: place(name), problem: "must be a string, is " + json.kind)
            }
            value = string
        } else {
            members.append(PageJSON.Member(name, .string(value)))
        }
        try check(name, value, problem)
    }

    /// A string that may be missing, is not written when it is, and that `problem` finds nothing wrong with.
    mutating func string(
        _ name: String, _ value: inout String?, _ problem: (String) -> String?
    ) throws(PageError) {
        var text = value ?? ""
        if isReading {
            guard let json = take(name) else { return }
            guard case .string(let string) = json else {
                throw PageError(place: place(name), problem: "must be a string, is " + json.kind)
            }
            text = string
        } else if value == nil {
            return
        } else {
            members.append(PageJSON.Member(name, .string(text)))
        }
        try check(name, text, problem)
        value = text
    }

    private func check(_ name: String, _ value: String, _ problem: (String) -> String?) throws(PageError) {
        if let problem = problem(value) { throw PageError(place: place(name), problem: problem) }
    }
}
