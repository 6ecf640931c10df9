import BenjiProtocol
import OpenIDProvider

/// A person's page of what apps ask them, on its way between gateway and authority.
struct LinkRequests: Sendable {
    var decision: Result<[WaitingRequest], OpenIDStop>

    /// Makes the decision.
    init(_ decide: () async throws(OpenIDStop) -> [WaitingRequest]) async {
        do { decision = .success(try await decide()) } catch { decision = .failure(error) }
    }

    var json: JSON {
        get async throws {
            switch decision {
            case .success(let requests): return .object(["requests": .array(requests.map(\.json))])
            case .failure(let stop):
                return try await LinkBrowserAnswer { () async throws(OpenIDStop) in throw stop }.json
            }
        }
    }

    init(_ json: JSON) throws(JSONError) {
        guard json["requests"] != nil else {
            guard case .failure(let stop) = try LinkBrowserAnswer(json).decision else {
                throw JSONError(place: "$", problem: "must hold requests, mistake or notice")
            }
            decision = .failure(stop)
            return
        }
        var reader = try JSONObjectReader(json)
        decision = .success(try reader.array("requests").map { json throws(JSONError) in try WaitingRequest(json) })
        try reader.finish()
    }

    var isUnable: Bool {
        if case .failure(let stop) = decision { stop.situation == .storeUnavailable } else { false }
    }
}

extension WaitingRequest {
    fileprivate var json: JSON {
        .object([
            "family": .integer(family), "name": .string(name), "message": message.map { .string($0) },
            "gets": .array(gets.map { .string($0) }), "digest": .string(digest),
            "askedAt": .integer(askedAt.milliseconds), "expiresAt": .integer(expiresAt.milliseconds),
        ])
    }

    fileprivate init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: "$.requests")
        self.init(
            family: try reader.integer("family"),
            name: try reader.string("name", length: 0...AuthorityNode.maximumAnswer),
            message: try reader.optionalString("message", length: 0...AuthorityNode.maximumAnswer),
            gets: try reader.texts("gets"), digest: try reader.string("digest"),
            askedAt: Timestamp(milliseconds: try reader.integer("askedAt")),
            expiresAt: Timestamp(milliseconds: try reader.integer("expiresAt")))
        try reader.finish()
    }
}

extension BackchannelDecision {
    /// The decision in a browser's request; an empty object only asks.
    static func json(_ decision: BackchannelDecision?) -> JSON {
        guard let decision else { return .object([]) }
        return .object([
            "family": .integer(decision.family), "digest": .string(decision.digest), "yes": .bool(decision.isYes),
        ])
    }

    static func read(_ json: JSON) throws(JSONError) -> BackchannelDecision? {
        if json == .object([]) { return nil }
        var reader = try JSONObjectReader(json, path: "$.request")
        let decision = BackchannelDecision(
            family: try reader.integer("family"),
            digest: try reader.string("digest", length: 0...AuthorityNode.maximumAnswer),
            isYes: try reader.bool("yes"))
        try reader.finish()
        return decision
    }
}
