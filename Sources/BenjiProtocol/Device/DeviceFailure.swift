/// The content of every refusal of the device dialect, whatever the HTTP status.
public struct DeviceFailure: Error, Hashable, Sendable {
    public var situation: Situation
    /// For the developer, in English: the problem and its place. Never a secret, never a number.
    public var detail: String
    public var trace: TraceID?
    /// The server's clock, for phones whose own is wrong.
    public var serverTime: Timestamp?
    /// Since when it is so, where a person wants to know: an account that was frozen, erased, or has another SIM.
    public var since: Timestamp?
    /// Whether the app's workflow also logs in by a code by SMS: said with the refusal of a prefetch, where the app is
    /// known.
    public var smsLogin: Bool

    public init(
        situation: Situation, detail: String, trace: TraceID? = nil, serverTime: Timestamp? = nil,
        since: Timestamp? = nil, smsLogin: Bool = false
    ) {
        self.situation = situation
        self.detail = detail
        self.trace = trace
        self.serverTime = serverTime
        self.since = since
        self.smsLogin = smsLogin
    }

    public var json: JSON {
        .object([
            "code": .string(situation.rawValue), "detail": .string(detail), "trace": trace.map { .string($0.rawValue) },
            "serverTime": serverTime.map { .integer($0.milliseconds) },
            "since": since.map { .integer($0.milliseconds) }, "smsLogin": smsLogin ? .bool(true) : nil,
        ])
    }

    /// - Parameter situations: those that the reader knows. Any other code is ``Situation/internalError``: what a newer
    ///   server says and this phone does not know is still a refusal.
    public init(_ json: JSON, knowing situations: [Situation] = Situation.ofNumberLogin) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        let code = Situation(rawValue: try reader.string("code", length: 1...64))
        situation = situations.contains(code) ? code : .internalError
        detail = try reader.optionalString("detail", length: 0...1024) ?? ""
        trace = try reader.optionalString("trace").flatMap(TraceID.init(rawValue:))
        serverTime = (reader.optional("serverTime")?.integerValue).map(Timestamp.init(milliseconds:))
        since = (reader.optional("since")?.integerValue).map(Timestamp.init(milliseconds:))
        smsLogin = reader.optional("smsLogin") == .bool(true)
    }
}
