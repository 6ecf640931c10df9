import Authority
@_spi(Server) import BenjiProtocol
import HTTPTypes
import Hummingbird
package import OpenIDProvider

/// CAMARA's number-verification 2.1, sim-swap 2.1 and one-time-password-sms 1.1 (docs/camara.md), for the listener of apps' servers.
package struct CAMARAEndpoints: Sendable {
    /// The largest body that is read, in bytes.
    static let maximumBody = 4096

    let provider: OpenIDProvider

    package init(provider: OpenIDProvider) { self.provider = provider }

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
        Path.allCases.map { path in
            EndpointRoute(path == .devicePhoneNumber ? .get : .post, path.rawValue) { request, context in
                await answer(path, request, context)
            }
        }
    }

    private func answer(_ path: Path, _ request: Request, _ context: EndpointContext) async -> Response {
        var response: Response
        do throws(Refusal) {
            guard Correlator(request.headers) != .malformed else {
                throw Refusal(.parameterInvalid, "x-correlator: does not match its pattern")
            }
            let (json, trace) = try await perform(path, request, context)
            response = json.map { Response($0) } ?? Response(status: .noContent)
            context.outcome.note(code: Situation.success.rawValue, trace: trace)
        } catch {
            let refusal = CAMARARefusal(error)
            response = refusal.response
            context.outcome.note(code: refusal.code, trace: error.trace)
            // Close instead of reading the rest of a body that is too large.
            if error.situation == .bodyTooLarge { response.headers[.connection] = "close" }
        }
        return response
    }

    private func perform(
        _ path: Path, _ request: Request, _ context: EndpointContext
    ) async throws(Refusal) -> (JSON?, TraceID) {
        let headers = request.headers[values: .authorization]
        guard headers.count <= 1 else { throw Refusal(.tokenMissing, "more than one Authorization header") }
        let call = OpenIDProvider.BearerCall(authorization: headers.first, peer: context.peer?.address)
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
