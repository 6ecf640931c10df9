package import Authority
@_spi(Server) package import BenjiProtocol
package import Requests
package import Store

/// The authority's interface for the dialects of app servers, so that their routes can be tested without an authority.
package protocol ServerService: Sendable {
    /// The app and its key, whatever its state: the key is needed to check the sign before any other answer.
    func registeredApp(_ id: AppID) async throws(Refusal) -> RegisteredApp
    /// The app as last read, which may be outdated. A redemption then throws a refusal with ``Refusal/isAppOutdated``.
    func rememberedApp(_ id: AppID) -> RegisteredApp?
    /// The app that a token was issued to, for dialects whose requests name none. Spends nothing and does not report
    /// the token's state.
    func app(ofToken token: String, trace: TraceID) async throws(Refusal) -> AppID
    /// The app with this source id, whose tokens another one may redeem.
    func issuer(withSourceID sourceID: String, for app: AppRecord) async throws(Refusal) -> AppRecord
    /// Whether a call whose sign is right is an answered app's, at an address of its servers. It asks for nothing.
    func recognise(_ call: ServerCall) async throws(Refusal)
    /// Whether a call whose sign is right may be answered at all.
    func admit(_ call: ServerCall, needs capability: Capability) async throws(Refusal) -> AdmittedCall
    /// Spends a login token and releases the number.
    func redeemNumber(_ call: AdmittedCall, token: String) async throws(Refusal) -> ReleasedLogin
    /// Spends a verification token and compares.
    func verifyNumber(
        _ call: AdmittedCall, token: String, matches: @escaping @Sendable (PhoneNumber) -> Bool
    ) async throws(Refusal) -> VerificationAnswer
}

extension ServerService {
    /// Spends a login token and releases the number, encrypted if there is a cipher.
    func redeemNumber(
        _ call: AdmittedCall, token: String, encryptedBy cipher: ZeroVectorCipher?
    ) async throws(Refusal) -> (String, TraceID) {
        let login = try await redeemNumber(call, token: token)
        let number = login.number.national
        guard let cipher else { return (number, login.trace) }
        do { return (try cipher.encrypt(number), login.trace) } catch {
            throw Refusal(.encryptionFailed, "the number could not be encrypted", trace: login.trace)
        }
    }

    /// Judges a request by the app's record, then redeems. It uses the record as last read, and again the present one
    /// if the first refuses the request or turns out to be outdated.
    ///
    /// - Parameters:
    ///   - judge: reads the app, changes nothing.
    ///   - redeem: the step for which the store compares the record's revision.
    func withApp<Judged, Answer>(
        _ id: AppID, judge: (RegisteredApp) async throws(Refusal) -> Judged,
        redeem: (Judged) async throws(Refusal) -> Answer
    ) async throws(Refusal) -> Answer {
        if let app = rememberedApp(id), let judged = try? await judge(app) {
            do { return try await redeem(judged) } catch { guard error.isAppOutdated else { throw error } }
        }
        var attempts = 0
        while true {
            let judged = try await judge(registeredApp(id))
            do { return try await redeem(judged) } catch {
                // The record changed again in between: try once more.
                attempts += 1
                guard error.isAppOutdated, attempts < 3 else { throw error }
            }
        }
    }
}

extension Authority: ServerService {}
