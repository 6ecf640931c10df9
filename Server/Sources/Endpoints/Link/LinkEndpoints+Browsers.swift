import Authority
import BenjiProtocol
import OpenIDProvider
import Sightings
import Store

/// The gateways' requests for browsers: login pages, and tokens in the operator's H5 shape.
extension LinkEndpoints {
    /// How a gateway learns where the authority says that the pages are.
    var openIDRoute: EndpointRoute {
        question(.openID) { .object(["pages": (openID?.pages).map { .string($0) }]) }
    }

    var openIDAuthorizeRoute: EndpointRoute {
        browserCall(.openIDAuthorize) { desk, call in
            let parameters = try Self.read(call.request, OpenIDParameters.init)
            return await LinkBrowserAnswer { () async throws(OpenIDStop) in
                try await desk.authorize(parameters, call.call)
            }
        }
    }

    var openIDAnswerRoute: EndpointRoute {
        browserCall(.openIDAnswer) { desk, call in
            let answer = try Self.read(call.request, OpenIDProvider.PageAnswer.init)
            return await LinkBrowserAnswer { () async throws(OpenIDStop) in
                try await desk.answer(answer, call.call)
            }
        }
    }

    var openIDConsentsRoute: EndpointRoute {
        message(.openIDConsents) { json, gateway in
            let call = try Self.read(json, LinkBrowserCall.init)
            try check(call.call.sighting, of: gateway)
            guard let openID, openID.pages == call.pages else { throw Self.differentPages }
            let ending = try Self.read(call.request, ConsentEnding.read)
            let answer = await LinkConsents { () async throws(OpenIDStop) in
                try await openID.desk.consents(ending: ending, call.call)
            }
            let situation = if case .failure(let stop) = answer.decision { stop.situation } else { Situation.success }
            return Decision(try await answer.json, situation: situation)
        }
    }

    var openIDRequestsRoute: EndpointRoute {
        message(.openIDRequests) { json, gateway in
            let call = try Self.read(json, LinkBrowserCall.init)
            try check(call.call.sighting, of: gateway)
            guard let openID, openID.pages == call.pages else { throw Self.differentPages }
            let decision = try Self.read(call.request, BackchannelDecision.read)
            let answer = await LinkRequests { () async throws(OpenIDStop) in
                try await openID.desk.requests(deciding: decision, call.call)
            }
            let situation = if case .failure(let stop) = answer.decision { stop.situation } else { Situation.success }
            return Decision(try await answer.json, situation: situation)
        }
    }

    /// The operator's mistake is told to the browser, and is no fault of the node's: phones can be served.
    private static let differentPages = Refusal(.internalError, "openid.pages of gateway and authority differ")

    var openIDMediaRoute: EndpointRoute {
        message(.openIDMedia) { json, _ in
            let digest = try Self.read(json) { json throws(JSONError) in
                var reader = try JSONObjectReader(json)
                let digest = try reader.string("digest", length: 43...43)
                try reader.finish()
                return digest
            }
            guard let openID else { return Decision(OpenIDMedia.linked(nil)) }
            do throws(OpenIDFailure) {
                return Decision(OpenIDMedia.linked(try await openID.desk.media(digest: digest)))
            } catch {
                throw Refusal(
                    error.error == .temporarilyUnavailable ? .storeUnavailable : .internalError, error.detail)
            }
        }
    }

    var browserTokenRoute: EndpointRoute {
        message(.browserToken) { json, gateway in
            let call = try Self.read(json, LinkBrowserToken.init)
            try check(call.sighting, of: gateway)
            let issued = try await desk.browserToken(
                BrowserTokenRequest(call.request), origin: call.origin, sighting: call.sighting)
            return Decision(IssuedBrowserToken(token: issued.token, trace: issued.trace).json, trace: issued.trace)
        }
    }

    var ownLogRoute: EndpointRoute {
        message(.ownLog) { json, gateway in
            let call = try Self.read(json, LinkOwnLog.init)
            try check(call.sighting, of: gateway)
            return Decision(try await shownLog().ownLog(before: call.before, sighting: call.sighting))
        }
    }

    var ownLogProofRoute: EndpointRoute {
        message(.ownLogProof) { json, gateway in
            let call = try Self.read(json, LinkOwnLogProof.init)
            try check(call.sighting, of: gateway)
            return Decision(
                try await shownLog().ownLogProof(of: call.leaf, number: call.number, sighting: call.sighting))
        }
    }

    /// - Throws: the operator's mistake, and no fault of the node's.
    private func shownLog() throws(Refusal) -> any OwnLogDesk {
        guard let ownLog else { throw Refusal(.internalError, "public-log.page is off at the authority") }
        return ownLog
    }

    /// A route that takes a browser's request for a login page.
    private func browserCall(
        _ path: LinkPath,
        _ decide: @escaping @Sendable (any OpenIDBrowserDesk, LinkBrowserCall) async throws -> LinkBrowserAnswer
    ) -> EndpointRoute {
        message(path) { json, gateway in
            let call = try Self.read(json, LinkBrowserCall.init)
            try check(call.call.sighting, of: gateway)
            guard let openID, openID.pages == call.pages else { throw Self.differentPages }
            let answer = try await decide(openID.desk, call)
            let situation = if case .failure(let stop) = answer.decision { stop.situation } else { Situation.success }
            // An earlier version of the gateway sends no address.
            return Decision(
                try (call.call.source == nil ? answer.withoutLook : answer).json, situation: situation)
        }
    }
}
