package import Authority
@_spi(Server) package import BenjiProtocol
import Logging
package import Requests
import Store

/// CAMARA's one-time-password-sms: a code to a number that the app names, and whether somebody read it.
package struct OneTimePasswordSMS: Sendable {
    private let context: ProviderContext
    private let codes: SMSCodes?
    private let tokens: CAMARATokens

    init(context: ProviderContext, codes: SMSCodes?) {
        self.context = context
        self.codes = codes
        tokens = CAMARATokens(context: context)
    }

    /// Sends a code, and bills its message.
    ///
    /// - Parameters:
    ///   - number: E.164 with its plus sign, as the caller sent it.
    ///   - message: with ``CodePlaceholder`` where the digits go.
    /// - Returns: by what the code is known.
    package func sendCode(
        to number: String, message: String, _ call: OpenIDProvider.BearerCall
    ) async throws(Refusal) -> (id: String, trace: TraceID) {
        let now = context.now
        let (token, codes) = try await admit(call)
        guard let number = PhoneNumber(number) else {
            throw Refusal(.numberNotServed, "phoneNumber: it is nobody's", trace: token.credential.trace)
        }
        let id = try await codes.send(
            SMSCodes.Order(
                app: token.app, purpose: .verification, number: number, trace: token.credential.trace,
                source: call.peer.map(SMSCodes.source)
            ) { message.replacing(CodePlaceholder.text, with: $0) })
        await bill(token, at: now)
        return (id.rawValue, token.credential.trace)
    }

    /// Spends a code. Right or wrong, it is not billed: its message was.
    package func validateCode(
        _ digits: String, of id: String, _ call: OpenIDProvider.BearerCall
    ) async throws(Refusal) -> TraceID {
        let (token, codes) = try await admit(call)
        return try await codes.spend(digits, of: id, app: token.app.id, purpose: .verification).trace
    }

    private func admit(_ call: OpenIDProvider.BearerCall) async throws(Refusal) -> (CAMARAToken, SMSCodes) {
        let token = try await tokens.token(call, for: [.sendAndValidateCode])
        let trace = token.credential.trace
        // Checked again, although such a token is never issued: the number could differ from the token's.
        guard token.credential.subject == nil else {
            throw Refusal(.scopeMissing, "one-time-password-sms needs the app's own token", trace: trace)
        }
        guard let codes else { throw Refusal(.messageNotSent, "this installation sends no messages", trace: trace) }
        return (token, codes)
    }

    /// A line of the ledger for a message that is out or may be. Nothing can take it back, so neither the quota nor the
    /// token's end, which were looked at before, are asked again.
    private func bill(_ token: CAMARAToken, at admission: Timestamp) async {
        let problem: String
        do throws(StoreError) {
            let outcome = try await context.store.exchange(
                OpenIDExchange(
                    hash: token.credential.hash, kind: .access, appID: token.app.id, now: admission,
                    billing: OpenIDExchange.Billing(
                        interface: "one-time-password-sms.send-code", result: "sent", quota: AnswerQuota(),
                        day: CalendarDay(admission).number), end: .kept))
            if case .spent = outcome { return }
            problem = "the access token was ended meanwhile"
        } catch { problem = "\(error)" }
        context.authority.logger.error(
            "a message with an SMS code was sent and not billed",
            metadata: ["app": "\(token.app.id)", "trace": "\(token.credential.trace)", "reason": "\(problem)"])
    }
}
