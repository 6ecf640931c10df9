package import BenjiProtocol
import Crypto
import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
package import Requests
package import ServerHTTP
import Sightings
import Synchronization

/// A gateway's routes for phones and browsers: each request goes to the authority as it came, with what the gateway
/// states about its sender. The authority decides all of it.
///
/// A gateway verifies the signature of a phone's request too, as a filter against unsigned requests.
package struct ForwardingEndpoints: Sendable {
    private let authority: RemoteAuthority
    private let sightings: any SightingSource
    private let proofs: ReplayGuard?
    private let clock: any WallClock
    private let requests: ProvenRequests
    private let gate: FrameGate
    private let faceLogin = FaceLogin()

    private final class FaceLogin: Sendable {
        /// Whether the authority knew none of its paths when it was asked last. Then no body is read for them.
        let isOff = Atomic(false)
    }

    /// - Parameters:
    ///   - proofs: the memory of proofs that were shown to this gateway; `nil` if the authority has one node, which
    ///     remembers them itself.
    ///   - publicURLs, derivedScheme: as of ``DeviceEndpoints``.
    ///   - pictures: requests with pictures that are in memory at a time, 6 MiB each.
    package init(
        _ authority: RemoteAuthority, sightings: any SightingSource, proofs: ReplayGuard? = nil,
        clock: any WallClock = SystemWallClock(), publicURLs: [String], derivedScheme: String = "http",
        pictures: Int = 64
    ) {
        self.authority = authority
        self.sightings = sightings
        self.proofs = proofs
        self.clock = clock
        requests = ProvenRequests(
            sightings: sightings, clock: clock, publicURLs: publicURLs, derivedScheme: derivedScheme)
        gate = FrameGate(limit: pictures)
    }

    package var routes: [EndpointRoute] {
        ForwardedPath.all.map { path in
            EndpointRoute(path.method, path.path) { request, context in
                switch path.check {
                case .proof, .freshProof: try await proven(path, request, context)
                case .nothing, .address, .deviceKey: try await plain(path, request, context)
                }
            }
        }
    }

    /// A request that a phone signs. A phone whose clock is wrong can set itself right by any refusal.
    private func proven(
        _ path: ForwardedPath, _ request: Request, _ context: EndpointContext
    ) async throws -> Response {
        do {
            let (body, device) = try await requests.open(request, at: path.path, upTo: path.maximumBody, context)
            if path.check == .freshProof { try proofs?.check(device) }
            let sender = ForwardedSender(
                peer: context.peer, baseURLs: requests.baseURLs(of: request), sighting: device.sighting)
            return try await answer(to: ForwardedRequest(request, body: body, sender: sender), path, context)
        } catch var refusal as Refusal {
            refusal.serverTime = refusal.serverTime ?? clock.now
            throw refusal
        }
    }

    private func plain(
        _ path: ForwardedPath, _ request: Request, _ context: EndpointContext
    ) async throws -> Response {
        do {
            guard !path.holdsPictures || gate.enter() else {
                throw Refusal(.overloaded, "too many frames at once; try again")
            }
            defer { if path.holdsPictures { gate.leave() } }
            if path.check == .deviceKey, faceLogin.isOff.load(ordering: .relaxed) {
                let answer = try await withoutBody(path, request, context)
                guard context.outcome.code != Situation.notFound.rawValue else { return answer }
                faceLogin.isOff.store(false, ordering: .relaxed)
            }
            let body = path.maximumBody == 0 ? [] : try await request.bytes(upTo: path.maximumBody)
            // After the body has come: a sighting is of this moment.
            let forwarded = ForwardedRequest(request, body: body, sender: await sender(path, request, context))
            let response = try await answer(to: forwarded, path, context)
            if path.check == .deviceKey, context.outcome.code == Situation.notFound.rawValue {
                faceLogin.isOff.store(true, ordering: .relaxed)
            }
            return response
        } catch let situation as Situation where situation == .bodyTooLarge {
            return try await withoutBody(path, request, context)
        } catch var refusal as Refusal {
            if path.check == .deviceKey { refusal.serverTime = refusal.serverTime ?? clock.now }
            guard request.headers[.accept]?.contains("text/html") == true else { throw refusal }
            return notice(refusal, request, context)
        }
    }

    private func sender(
        _ path: ForwardedPath, _ request: Request, _ context: EndpointContext
    ) async -> ForwardedSender {
        ForwardedSender(
            peer: context.peer, baseURLs: requests.baseURLs(of: request),
            sighting: path.check == .address ? await sightings.sighting(of: context) : nil)
    }

    /// Forwards a request as one whose body is too large. The authority's route refuses that in its own words.
    private func withoutBody(
        _ path: ForwardedPath, _ request: Request, _ context: EndpointContext
    ) async throws(Refusal) -> Response {
        var forwarded = ForwardedRequest(request, body: [], sender: await sender(path, request, context))
        forwarded.lines.append(HeaderLine(name: "content-length", value: "\(path.maximumBody + 1)"))
        var response = try await answer(to: forwarded, path, context)
        response.headers[.connection] = "close"
        return response
    }

    private func answer(
        to request: ForwardedRequest, _ path: ForwardedPath, _ context: EndpointContext
    ) async throws(Refusal) -> Response {
        guard let message = request.bytes else { throw Refusal(.malformedRequest, "the headers are too long") }
        let answer: ForwardedAnswer
        do { answer = try await authority.forward(message, path, key: Self.key(of: request, path)) } catch {
            throw AuthorityNode.refusal(error)
        }
        if let code = answer.code { context.outcome.note(code: code, trace: answer.trace) }
        return answer.response
    }

    /// Requests with the same key go to the same node as long as it answers; `nil` spreads them.
    ///
    /// A device key is read from the head of the proof and not verified. A caller that names another device's key only
    /// reaches that device's node.
    static func key(of request: ForwardedRequest, _ path: ForwardedPath) -> UInt64? {
        if path.check == .deviceKey {
            let head = request.headers[.deviceProof]?.split(separator: ".").first ?? ""
            return SHA256.hash(data: Data(head.utf8)).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        }
        guard case .success(let sighting)? = request.sender.sighting else { return nil }
        return UInt64(bitPattern: sighting.subscription.subscription)
    }

    /// A page that says why there is no answer, for a person at a browser.
    private func notice(_ refusal: Refusal, _ request: Request, _ context: EndpointContext) -> Response {
        context.outcome.note(code: refusal.situation.rawValue)
        let language = Language(wanted: AcceptLanguage.tags(request.headers[.acceptLanguage] ?? ""))
        let retry = request.method == .get ? "?" + (request.uri.query ?? "") : nil
        let page = NoticePage(
            NoticeCause(refusal.situation), language, status: refusal.situation.httpStatus, retry: retry)
        let nonce = CredentialGrammar.openID.make(random: SystemRandomSource())
        return page.response(nonce: nonce).strict(at: requests.baseURLs(of: request).first ?? "")
    }
}
