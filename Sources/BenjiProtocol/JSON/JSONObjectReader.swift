/// Reads the members of one JSON object, and insists that each was asked for.
///
/// A missing, mistyped or unknown member is an error that names its path, so that a developer reads
/// `$.consent.tappedAt: missing` rather than "bad request".
public struct JSONObjectReader: Sendable {
    public let path: String
    private let members: [JSON.Member]
    /// Which of the members somebody asked for.
    private var asked: [Bool]

    public init(_ value: JSON, path: String = "$") throws(JSONError) {
        guard case .object(let members) = value else {
            throw JSONError(place: path, problem: "must be an object, is \(value.kind)")
        }
        self.path = path
        self.members = members
        asked = Array(repeating: false, count: members.count)
    }

    private func error(_ name: String, _ problem: String) -> JSONError {
        JSONError(place: "\(path).\(name)", problem: problem)
    }

    /// The names of all members, for an object whose names are data.
    public var names: [String] { members.map(\.name) }

    /// The member if present; JSON `null` counts as absent.
    public mutating func optional(_ name: String) -> JSON? {
        guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
        asked[index] = true
        if case .null = members[index].value { return nil }
        return members[index].value
    }

    public mutating func value(_ name: String) throws(JSONError) -> JSON {
        guard let value = optional(name) else { throw error(name, "missing") }
        return value
    }

    public mutating func string(_ name: String, length: ClosedRange<Int> = 0...4096) throws(JSONError) -> String {
        guard let text = try optionalString(name, length: length) else { throw error(name, "missing") }
        return text
    }

    public mutating func optionalString(_ name: String, length: ClosedRange<Int> = 0...4096) throws(JSONError)
        -> String?
    {
        guard let value = optional(name) else { return nil }
        guard case .string(let text) = value else { throw error(name, "must be a string, is \(value.kind)") }
        guard length.contains(text.utf8.count) else {
            throw error(name, "must be \(length.lowerBound) to \(length.upperBound) bytes long, is \(text.utf8.count)")
        }
        return text
    }

    public mutating func integer(_ name: String, in range: ClosedRange<Int64> = .min ... .max) throws(JSONError)
        -> Int64
    {
        let value = try value(name)
        guard let number = value.integerValue else { throw error(name, "must be an integer, is \(value.kind)") }
        guard range.contains(number) else { throw error(name, "must be \(range.lowerBound) to \(range.upperBound)") }
        return number
    }

    public mutating func bool(_ name: String) throws(JSONError) -> Bool {
        let value = try value(name)
        guard let flag = value.boolValue else { throw error(name, "must be true or false, is \(value.kind)") }
        return flag
    }

    public mutating func object(_ name: String) throws(JSONError) -> JSONObjectReader {
        try JSONObjectReader(try value(name), path: "\(path).\(name)")
    }

    public mutating func array(_ name: String, count: ClosedRange<Int> = 0...256) throws(JSONError) -> [JSON] {
        let value = try value(name)
        guard let values = value.arrayValue else { throw error(name, "must be an array, is \(value.kind)") }
        guard count.contains(values.count) else {
            throw error(name, "must have \(count.lowerBound) to \(count.upperBound) elements, has \(values.count)")
        }
        return values
    }

    /// Makes a value of the member's string with `make`; what it refuses is `problem`.
    public mutating func value<Value>(
        _ name: String, _ problem: String, _ make: (String) -> Value?
    ) throws(JSONError) -> Value {
        guard let value = make(try string(name)) else { throw error(name, problem) }
        return value
    }

    /// A letter, `_` or `-`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f || byte == 0x2d
    }

    /// Refuses members that were not asked for.
    public func finish() throws(JSONError) {
        if let unknown = asked.firstIndex(of: false).map({ members[$0] }) {
            // A name is repeated only when it cannot be a number or a credential that somebody put in the wrong place.
            guard (1...32).contains(unknown.name.utf8.count), unknown.name.utf8.allSatisfy(Self.isPlain) else {
                throw JSONError(place: path, problem: "holds an unknown member, whose name is not repeated here")
            }
            throw error(unknown.name, "unknown member")
        }
    }
}
