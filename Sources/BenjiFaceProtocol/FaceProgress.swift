import BenjiProtocol

/// Where a challenge stands. Sentences are names of `FaceSentence` in BenjiFaceTexts, which has them in three
/// languages; a phone that does not know one shows none.
public struct FaceProgress: Hashable, Sendable {
    /// What to do now: `look_straight`, `turn_left`, `turn_right`, `blink`, `open_mouth`. Left and right are the
    /// person's own.
    public var prompt: String
    /// The reason why the last frames are of no use: `no_face`, `too_dark`.
    public var hint: String?
    /// Movements that were seen, of ``count``.
    public var done: Int64
    public var count: Int64

    public init(prompt: String, hint: String?, done: Int64, count: Int64) {
        self.prompt = prompt
        self.hint = hint
        self.done = done
        self.count = count
    }

    var json: JSON {
        .object([
            "prompt": .string(prompt), "hint": hint.map { .string($0) }, "done": .integer(done),
            "count": .integer(count),
        ])
    }

    init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        prompt = try reader.string("prompt", length: 1...64)
        hint = try reader.optionalString("hint", length: 1...64)
        done = try reader.integer("done", in: 0...100)
        count = try reader.integer("count", in: 0...100)
    }
}
