import Authority
@_spi(Server) import BenjiProtocol
import HTTPTypes
import Hummingbird
package import OpenIDProvider
package import Requests
package import ServerHTTP

/// CAMARA's number-verification 2.1, sim-swap 2.1 and one-time-password-sms 1.1 (docs/camara.md), for the listener of
/// apps' servers.
package struct CAMARAEndpoints: Sendable {
    /// The largest body that is read, in bytes.
    static let maximumBody = 4096

    let provider: OpenIDProvider
    private let isMutualTLS: Bool

    /// - Parameter isMutualTLS: whether the listener asks for client certificates.
    package init(provider: OpenIDProvider, isMutualTLS: Bool = false) {
        self.provider = provider
        self.isMutualTLS = isMutualTLS
    }

    /// The addresses of the six operations.
    package enum Path: String, Sendable, CaseIterable {
        case verify = "/number-verification/v2/verify"
        case devicePhoneNumber = "/number-verification/v2/device-phone-number"
        case checkSIMSwap = "/sim-swap/v2/check"
        case retrieveSIMSwapDate = "/sim-swap/v2/retrieve-date"
        case sendCode = "/one-time-password-sms/v1/send-code"
        case validateCode = "/one-time-password-sms/v1/validate-code"
    }

    package var routes: [EndpointRoute] {
        let family = family
        return Path.allCases.map { path in
            // An answer spends its token.
            EndpointRoute(
                path == .devicePhoneNumber ? .get : .post, address(of: path), answersHead: false, family: family
            ) {
                await answer(path, $0, $1)
            }
        }
    }

    /// CAMARA's interfaces: an error has CAMARA's form also where there is no operation, and any answer returns
    /// `x-correlator`.
    private var family: RouteFamily {
        let names = Set(Path.allCases.compactMap { $0.rawValue.split(separator: "/").first }).sorted()
        return RouteFamily(
            name: "CAMARA", prefixes: names.map { "\(provider.configuration.apiPrefix)/\($0)/" },
            refusal: { status, problem in
                CAMARARefusal.response(
                    status, status == .methodNotAllowed ? "METHOD_NOT_ALLOWED" : "NOT_FOUND", problem)
            },
            complete: { request, response in
                if case .text(let text) = Correlator(request.headers) { response.headers[Correlator.header] = text }
            })
    }

    private func answer(_ path: Path, _ request: Request, _ context: EndpointContext) async -> Response {
        var response: Response
        var isOfProof = false
        do throws(Refusal) {
            guard Correlator(request.headers) != .malformed else {
                throw Refusal(.parameterInvalid, "x-correlator: does not match its pattern")
            }
            let (json, trace) = try await perform(path, request, context)
            response = json.map { Response($0) } ?? Response(status: .noContent)
            context.outcome.note(code: Situation.success.rawValue, trace: trace)
        } catch {
            let refusal = CAMARARefusal(error, isBound: request.isBound)
            response = refusal.response
            isOfProof = refusal.isOfProof
            context.outcome.note(code: refusal.code, trace: error.trace)
            // Close instead of reading the rest of a body that is too large.
            if error.situation == .bodyTooLarge { response.headers[.connection] = "close" }
        }
        // Every answer to a proof, or for want of one, brings the nonce for the next (RFC 9449 §8.2).
        if isOfProof || request.headers[.dpop] != nil { response.headers[.dpopNonce] = provider.dpopNonce }
        // CAMARA's scenarios compare the whole value.
        if response.headers[.contentType] != nil { response.headers[.contentType] = "application/json" }
        return response
    }

    private func address(of path: Path) -> String { provider.configuration.apiPrefix + path.rawValue }

    private func perform(
        _ path: Path, _ request: Request, _ context: EndpointContext
    ) async throws(Refusal) -> (JSON?, TraceID) {
        let headers = request.headers[values: .authorization]
        guard headers.count <= 1 else { throw Refusal(.tokenMissing, "more than one Authorization header") }
        let proof: PresentedProof?
        do { proof = try request.proof(at: address(of: path), isMutualTLS: isMutualTLS) } catch {
            throw Refusal(.dpopProofInvalid, error.detail)
        }
        let call = OpenIDProvider.BearerCall(
            authorization: headers.first, peer: context.peer?.address, proof: proof,
            certificate: isMutualTLS ? await context.clientCertificate() : nil)
        switch path {
        case .verify:
            let claim = try ClaimedNumber(try await Self.body(of: request))
            let answer = try await provider.numberVerification.verify(claim, call)
            return (.object(["devicePhoneNumberVerified": .bool(answer.isSame)]), answer.trace)
        case .devicePhoneNumber:
            let answer = try await provider.numberVerification.devicePhoneNumber(call)
            return (.object(["devicePhoneNumber": .string("+" + answer.number.e164)]), answer.trace)
        case .checkSIMSwap:
            let body = try SIMSwapBody(try await Self.body(of: request), hasMaxAge: true)
            let change = try await provider.simSwap.change(.check, of: body.phoneNumber, call)
            return (.object(["swapped": .bool(change.isWithin(hours: body.maxAge))]), change.trace)
        case .retrieveSIMSwapDate:
            let body = try SIMSwapBody(try await Self.body(of: request), hasMaxAge: false)
            let change = try await provider.simSwap.change(.date, of: body.phoneNumber, call)
            return (.object(["latestSimChange": .string(change.changedAt.rfc3339)]), change.trace)
        case .sendCode:
            let body = try SendCodeBody(try await Self.body(of: request))
            let sent = try await provider.oneTimePasswordSMS.sendCode(
                to: body.phoneNumber, message: body.message, call)
            return (.object(["authenticationId": .string(sent.id)]), sent.trace)
        case .validateCode:
            let body = try ValidateCodeBody(try await Self.body(of: request))
            return (nil, try await provider.oneTimePasswordSMS.validateCode(body.code, of: body.authenticationID, call))
        }
    }

    private static func body(of request: Request) async throws(Refusal) -> JSON {
        guard request.mediaType == "application/json" else {
            throw Refusal(.malformedRequest, "Content-Type must be application/json")
        }
        let bytes: [UInt8]
        do {
            bytes = try await request.bytes(upTo: maximumBody)
        } catch let situation as Situation where situation == .bodyTooLarge {
            throw Refusal(.bodyTooLarge, "the body is larger than \(maximumBody) bytes")
        } catch {
            throw Refusal(.malformedRequest, "the body could not be read")
        }
        do { return try JSON(parsing: bytes) } catch { throw Refusal(.malformedRequest, "the body is not JSON") }
    }
}
