import Authority
import BenjiPage
import BenjiProtocol
package import OpenIDProvider
package import Store

/// The OpenID provider of an authority in other processes, for the pages that a gateway shows to browsers.
package struct RemoteOpenID: OpenIDBrowserDesk {
    private let authority: RemoteAuthority
    private let pages: String

    /// - Parameter pages: where browsers reach this gateway's pages: `https://gw.example.com`, without a path.
    package init(_ authority: RemoteAuthority, pages: String) {
        self.authority = authority
        self.pages = pages
    }

    package func authorize(
        _ parameters: OpenIDParameters, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep {
        try await ask(.openIDAuthorize, parameters.json, call)
    }

    package func answer(
        _ answer: OpenIDProvider.PageAnswer, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep {
        try await ask(.openIDAnswer, answer.json, call)
    }

    package func consents(
        ending: ConsentEnding?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [RememberedApp] {
        let message = LinkBrowserCall(pages: pages, request: ConsentEnding.json(ending), call: call).json
        let answer: LinkConsents
        do {
            answer = try await authority.ask(
                .openIDConsents, message, about: call.sighting, LinkConsents.init, isUnable: \.isUnable)
        } catch {
            throw .person(AuthorityNode.refusal(error).situation, Language(wanted: call.languages), otherWay: nil)
        }
        return try answer.decision.get()
    }

    package func requests(
        deciding decision: BackchannelDecision?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [WaitingRequest] {
        let message = LinkBrowserCall(pages: pages, request: BackchannelDecision.json(decision), call: call).json
        let answer: LinkRequests
        do {
            answer = try await authority.ask(
                .openIDRequests, message, about: call.sighting, LinkRequests.init, isUnable: \.isUnable)
        } catch {
            throw .person(AuthorityNode.refusal(error).situation, Language(wanted: call.languages), otherWay: nil)
        }
        return try answer.decision.get()
    }

    package func media(digest: String) async throws(OpenIDFailure) -> OpenIDMedia? {
        do {
            return try await authority.ask(.openIDMedia, .object(["digest": .string(digest)])) {
                json throws(JSONError) in try OpenIDMedia(linked: json)
            }
        } catch { throw OpenIDFailure(AuthorityNode.refusal(error)) }
    }

    /// Why the authority's pages are not where this gateway shows them, in a few words; `nil` if they are or unknown.
    package func mismatch() async -> String? {
        let known = try? await authority.ask(.openID, nil) { json throws(JSONError) in
            var reader = try JSONObjectReader(json)
            let pages = try reader.optionalString("pages", length: 0...2048)
            try reader.finish()
            return pages ?? ""
        }
        switch known {
        case nil, pages: return nil
        case "": return "login pages are off at the authority: set openid.issuer and openid.pages there"
        case let other?:
            return
                "openid.pages is \(pages) here and \(other) at the authority: set both to where browsers reach this "
                + "gateway"
        }
    }

    private func ask(
        _ path: LinkPath, _ request: JSON, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep {
        let message = LinkBrowserCall(pages: pages, request: request, call: call).json
        guard message.serialized.count <= LinkEndpoints.maximumBody else {
            throw .developer(OpenIDFailure(.invalidRequest, "the request is too large"))
        }
        let answer: LinkBrowserAnswer
        do {
            answer = try await authority.ask(
                path, message, about: call.sighting, LinkBrowserAnswer.init, isUnable: \.isUnable)
        } catch {
            throw .person(AuthorityNode.refusal(error).situation, Language(wanted: call.languages), otherWay: nil)
        }
        return try answer.decision.get()
    }
}

extension LinkBrowserAnswer {
    /// Whether the node cannot serve, whatever it is asked.
    fileprivate var isUnable: Bool {
        if case .failure(let stop) = decision { stop.situation == .storeUnavailable } else { false }
    }
}

extension OpenIDMedia {
    /// As the link carries it; `nil` is an empty object.
    static func linked(_ media: OpenIDMedia?) -> JSON {
        guard let media else { return .object([]) }
        return .object([
            "name": .string(media.name), "digest": .string(media.digest), "type": .string(media.type),
            "content": .string(Base64URL.encode(media.content)),
        ])
    }

    /// - Returns: `nil` if no page has it.
    fileprivate init?(linked json: JSON) throws(JSONError) {
        if json == .object([]) { return nil }
        var reader = try JSONObjectReader(json)
        let content = try reader.string("content", length: 0...AuthorityNode.maximumAnswer)
        guard let bytes = Base64URL.decode(content) else {
            throw JSONError(place: "$.content", problem: "is not base64url")
        }
        self.init(
            name: try reader.string("name"), digest: try reader.string("digest"), type: try reader.string("type"),
            content: bytes)
        try reader.finish()
    }
}
