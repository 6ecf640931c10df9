/// What to tell the person now. Words for it are the client's, in the person's language.
public enum FaceHint: String, Hashable, Sendable, CaseIterable {
    case noFace = "no-face"
    case severalFaces = "several-faces"
    /// Something covers the face.
    case covered
    case comeCloser = "come-closer"
    /// Turned away, up or down, or tilted.
    case lookIntoCamera = "look-into-camera"
    case moreLight = "more-light"
    case lessLight = "less-light"
    /// One side is much brighter.
    case evenLight = "even-light"
    case holdStill = "hold-still"
    /// The step that is due has not been seen.
    case doTheStep = "do-the-step"
    /// Another step than the one that is due.
    case wrongStep = "wrong-step"
    /// Another face came into the picture.
    case anotherFace = "another-face"
    /// It does not look like a living face.
    case notAlive = "not-alive"
    /// Frames are missing, or came too slowly.
    case tooFewFrames = "too-few-frames"
}

/// How a challenge stands.
public struct FaceFramesResponse: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Send more frames; ``FaceFramesResponse/step`` is due.
        case more
        /// The challenge is passed.
        case passed
        /// It is not. Another challenge may be asked for while the session has attempts left.
        case failed
    }

    public var state: State
    /// The index of the step that is due, while the state is `more`; the failed one when it is `failed`.
    public var step: Int64?
    public var hint: FaceHint?
    /// The face's attributes, when it is those that were asked for.
    public var attributes: FaceAttributeValues?

    public init(state: State, step: Int64? = nil, hint: FaceHint? = nil, attributes: FaceAttributeValues? = nil) {
        self.state = state
        self.step = step
        self.hint = hint
        self.attributes = attributes
    }

    public var json: JSON {
        .object([
            "code": "success", "state": .string(state.rawValue), "step": step.map { .integer($0) },
            "hint": hint.map { .string($0.rawValue) }, "attributes": attributes?.json,
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        state = try reader.value("state", "must be more, passed or failed", State.init(rawValue:))
        step = reader.optional("step")?.integerValue
        // A hint that this phone has no words for is left out.
        hint = reader.optional("hint")?.stringValue.flatMap(FaceHint.init(rawValue:))
        attributes = try reader.optional("attributes").map { json throws(JSONError) in
            try FaceAttributeValues(json, path: "$.attributes")
        }
    }
}
