import BenjiProtocol
import OpenIDProvider

/// A person's page of remembered consents on its way between gateway and authority.
struct LinkConsents: Sendable {
    var decision: Result<[RememberedApp], OpenIDStop>

    /// Makes the decision.
    init(_ decide: () async throws(OpenIDStop) -> [RememberedApp]) async {
        do { decision = .success(try await decide()) } catch { decision = .failure(error) }
    }

    var json: JSON {
        get async throws {
            switch decision {
            case .success(let apps): return .object(["apps": .array(apps.map(\.json))])
            case .failure(let stop):
                return try await LinkBrowserAnswer { () async throws(OpenIDStop) in throw stop }.json
            }
        }
    }

    init(_ json: JSON) throws(JSONError) {
        guard json["apps"] != nil else {
            guard case .failure(let stop) = try LinkBrowserAnswer(json).decision else {
                throw JSONError(place: "$", problem: "must hold apps, mistake or notice")
            }
            decision = .failure(stop)
            return
        }
        var reader = try JSONObjectReader(json)
        decision = .success(try reader.array("apps").map { json throws(JSONError) in try RememberedApp(json) })
        try reader.finish()
    }

    var isUnable: Bool {
        if case .failure(let stop) = decision { stop.situation == .storeUnavailable } else { false }
    }
}

extension RememberedApp {
    fileprivate var json: JSON {
        .object([
            "family": .integer(family), "name": .string(name), "agreedAt": .integer(agreedAt.milliseconds),
            "usedAt": usedAt.map { .integer($0.milliseconds) }, "expiresAt": .integer(expiresAt.milliseconds),
            "getsNumber": .bool(getsNumber),
        ])
    }

    fileprivate init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: "$.apps")
        self.init(
            family: try reader.integer("family"),
            name: try reader.string("name", length: 0...AuthorityNode.maximumAnswer),
            agreedAt: Timestamp(milliseconds: try reader.integer("agreedAt")),
            usedAt: reader.optional("usedAt")?.integerValue.map { Timestamp(milliseconds: $0) },
            expiresAt: Timestamp(milliseconds: try reader.integer("expiresAt")),
            getsNumber: try reader.bool("getsNumber"))
        try reader.finish()
    }
}

extension ConsentEnding {
    /// The consents that a browser's request ends; an empty object only asks.
    static func json(_ ending: ConsentEnding?) -> JSON {
        switch ending {
        case .one(let family): .object(["family": .integer(family)])
        case .all: .object(["all": .bool(true)])
        case nil: .object([])
        }
    }

    static func read(_ json: JSON) throws(JSONError) -> ConsentEnding? {
        var reader = try JSONObjectReader(json, path: "$.request")
        let family = reader.optional("family")?.integerValue
        let isAll = reader.optional("all")?.boolValue ?? false
        try reader.finish()
        return isAll ? .all : family.map { .one(family: $0) }
    }
}
