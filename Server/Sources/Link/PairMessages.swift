package import BenjiProtocol
package import Sightings

// The messages between a gateway of a pair and the authority. The certificate identifies the pair and the gateway.

/// From which sequence on a gateway wants to read.
package struct PairQuestion: Hashable, Sendable {
    package var sequence: Int64

    package init(after sequence: Int64) { self.sequence = sequence }

    package var json: JSON { .object(["after": .integer(sequence)]) }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        sequence = try reader.integer("after", in: 0...Int64.max)
        try reader.finish()
    }
}

/// The owner's entries for the record, or its giving back of the pair.
package struct PairStatement: Hashable, Sendable {
    package var fence: Int64
    package var sequence: Int64
    package var entries: [PairEntry]

    package init(fence: Int64, sequence: Int64 = 0, entries: [PairEntry] = []) {
        self.fence = fence
        self.sequence = sequence
        self.entries = entries
    }

    package var json: JSON {
        .object([
            "fence": .integer(fence), "after": .integer(sequence), "entries": .array(entries.map(\.json)),
        ])
    }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        fence = try reader.integer("fence", in: 1...Int64.max)
        sequence = try reader.integer("after", in: 0...Int64.max)
        entries = try reader.entries(count: 0...PairEntry.recordLimit)
        try reader.finish()
    }
}

extension PairRecording {
    package var json: JSON {
        switch self {
        case .recorded(let sequence): .object(["recorded": .integer(sequence)])
        case .overtaken(let sequence): .object(["overtaken": .integer(sequence)])
        case .replaced: .object([])
        }
    }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        let (recorded, overtaken) = (reader.optional("recorded"), reader.optional("overtaken"))
        try reader.finish()
        switch (recorded, overtaken) {
        case (nil, nil): self = .replaced
        case (let sequence?, nil): self = .recorded(sequence: try Self.sequence(sequence))
        case (nil, let sequence?): self = .overtaken(sequence: try Self.sequence(sequence))
        case (_?, _?): throw JSONError(place: "$", problem: "must not hold both recorded and overtaken")
        }
    }

    private static func sequence(_ json: JSON) throws(JSONError) -> Int64 {
        guard let sequence = json.integerValue, sequence >= 0 else {
            throw JSONError(place: "$", problem: "must hold a sequence")
        }
        return sequence
    }
}

extension PairStanding {
    package var json: JSON {
        .object([
            "owner": owner.map { .string($0) }, "fence": .integer(fence), "sequence": .integer(sequence),
            "forgottenUntil": .integer(forgottenUntil),
        ])
    }

    package init(_ json: JSON, path: String = "$") throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        let counts = 0...Int64.max
        self.init(
            owner: try reader.optionalString("owner", length: 1...64), fence: try reader.integer("fence", in: counts),
            sequence: try reader.integer("sequence", in: counts),
            forgottenUntil: try reader.integer("forgottenUntil", in: counts))
        try reader.finish()
    }
}

extension PairUpdates {
    package var json: JSON {
        .object([
            "standing": standing.json, "readUntil": .integer(readUntil), "entries": .array(entries.map(\.json)),
        ])
    }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        self.init(
            standing: try PairStanding(try reader.value("standing"), path: "$.standing"),
            entries: try reader.entries(count: 0...PairUpdates.entryLimit),
            readUntil: try reader.integer("readUntil", in: 0...Int64.max))
        try reader.finish()
    }
}

extension PairEntry {
    /// Key, content, and 1 for an end: an array, because there are many.
    fileprivate var json: JSON {
        .array([.string(Base64URL.encode(key)), .string(Base64URL.encode(content)), .integer(isEnd ? 1 : 0)])
    }

    fileprivate init(_ json: JSON, path: String) throws(JSONError) {
        guard case .array(let items) = json, items.count == 3,
            let key = items[0].stringValue.flatMap({ Base64URL.decode($0) }), (1...Self.longestKey).contains(key.count),
            let content = items[1].stringValue.flatMap({ Base64URL.decode($0) }),
            content.count <= Self.longestContent,
            let isEnd = items[2].integerValue, (0...1).contains(isEnd)
        else { throw JSONError(place: path, problem: "must be an entry of a pair's record") }
        self.init(key: key, content: content, isEnd: isEnd == 1)
    }
}

extension JSONObjectReader {
    fileprivate mutating func entries(count: ClosedRange<Int>) throws(JSONError) -> [PairEntry] {
        var entries: [PairEntry] = []
        for (index, item) in try array("entries", count: count).enumerated() {
            entries.append(try PairEntry(item, path: "$.entries[\(index)]"))
        }
        return entries
    }
}
