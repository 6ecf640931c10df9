public import BenjiProtocol

/// Some frames of a challenge, in the order in which the camera took them.
///
/// Pictures are large, so this one request is not JSON. It begins with four bytes, most significant first, that hold
/// the length of a JSON head. The head and then the pictures follow; the head states each picture's length. The device
/// proof covers all of it.
public struct FaceFramesRequest: Hashable, Sendable {
    public static let contentType = "application/vnd.benji.face-frames"
    /// Bytes of one request.
    public static let maximumLength = 6 * 1024 * 1024
    /// Frames of one request.
    public static let maximumCount = 64

    public struct Frame: Hashable, Sendable {
        /// Milliseconds since the device had the challenge, by its own clock; each later than the one before.
        public var milliseconds: Int64
        /// A JPEG or PNG, unmirrored. Something like 640 × 480 is enough.
        public var picture: [UInt8]

        public init(milliseconds: Int64, picture: [UInt8]) {
            self.milliseconds = milliseconds
            self.picture = picture
        }
    }

    public var session: String
    public var challenge: String
    public var frames: [Frame]

    public init(session: String, challenge: String, frames: [Frame]) {
        self.session = session
        self.challenge = challenge
        self.frames = frames
    }

    public var bytes: [UInt8] {
        let head = JSON.object([
            "session": .string(session), "challenge": .string(challenge),
            "frames": .array(
                frames.map { .object(["at": .integer($0.milliseconds), "bytes": .integer($0.picture.count)]) }),
        ]).serialized
        var bytes = (0..<4).map { UInt8(truncatingIfNeeded: head.count >> (24 - 8 * $0)) }
        bytes.reserveCapacity(4 + head.count + frames.reduce(0) { $0 + $1.picture.count })
        bytes += head
        for frame in frames { bytes += frame.picture }
        return bytes
    }

    public init(_ bytes: [UInt8]) throws(JSONError) {
        func refuse(_ problem: String) -> JSONError { JSONError(place: "body", problem: problem) }
        guard bytes.count >= 4 else { throw refuse("must begin with the length of a head") }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= 16384, bytes.count - 4 >= length else { throw refuse("the head is cut off, or too long") }
        let head: JSON
        do { head = try JSON(parsing: bytes[4..<4 + length]) } catch { throw error.inside("head") }
        var reader = try JSONObjectReader(head, path: "$head")
        session = try reader.credential("session", .faceSession, "a face session")
        challenge = try reader.credential("challenge", .faceChallenge, "a challenge")
        let items = try reader.array("frames", count: 0...Self.maximumCount)
        try reader.finish()
        frames = []
        var position = 4 + length
        var last: Int64 = -1
        for (index, item) in items.enumerated() {
            var frame = try JSONObjectReader(item, path: "$head.frames[\(index)]")
            let at = try frame.integer("at", in: 0...3_600_000)
            guard at > last else { throw refuse("frame \(index) is not later than the one before it") }
            let count = Int(try frame.integer("bytes", in: 1...Int64(Self.maximumLength)))
            try frame.finish()
            guard bytes.count - position >= count else { throw refuse("the pictures are cut off") }
            frames.append(Frame(milliseconds: at, picture: Array(bytes[position..<position + count])))
            position += count
            last = at
        }
        guard position == bytes.count else { throw refuse("holds more than its head says") }
    }
}
