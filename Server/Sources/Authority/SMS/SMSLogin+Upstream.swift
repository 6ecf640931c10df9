import BenjiPolicy
@_spi(Server) package import BenjiProtocol
package import Requests
import Sightings
import Store

/// Login by a text that is sent from the number to the operator's service number (decision 50).
extension SMSLogin {
    /// Gives out a text to send. Nothing is asked and nothing told of any number.
    package func giveText(
        _ request: SMSUpstreamRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSUpstreamResponse {
        let app = try await authority.liveApp(
            request.appID, installedAs: request.bundleID, appKeyProof: request.appKeyProof, by: device)
        try await admit(app.record, device, .smsUpstream, bundleID: request.bundleID)
        let (texts, number) = try takesTexts()
        try authority.checkNewOfStranger(device.proof)
        let trace = TraceID(at: authority.expiryClock.now, random: authority.random)
        let (id, text): (SMSTransactionID, String)
        do {
            (id, text) = try await texts.issue(
                for: app.record, deviceKey: device.proof.key.thumbprint,
                source: device.source.map { "phones at \(SMSCodes.source($0))" }, trace: trace)
        } catch { throw authority.failure(error, trace: error.trace) }
        return SMSUpstreamResponse(
            trace: trace, transaction: id.rawValue, text: text, serviceNumber: number,
            lifetime: texts.settings.lifetime.components.seconds, retryAfter: SMSUpstream.pollInterval,
            policyVersion: authority.configuration.policy.version, serverTime: authority.clock.now)
    }

    /// Says whether the text has come, and from whose number, so that the person can say whether it is theirs. Changes
    /// nothing.
    package func textStatus(
        _ request: SMSUpstreamStatusRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSUpstreamStatusResponse {
        try authority.checkTime(of: device.proof)
        let app = try await authority.liveApp(request.appID)
        try await admit(app.record, device, .smsUpstream)
        let (texts, _) = try takesTexts()
        try authority.checkNewOfStranger(device.proof)
        let found: (record: SMSUpstreamRecord, hasArrived: Bool)
        do {
            found = try await texts.record(
                of: request.transaction, app: app.record.id, deviceKey: device.proof.key.thumbprint, spends: false)
        } catch { throw authority.failure(error, trace: error.trace) }
        guard found.hasArrived else {
            return SMSUpstreamStatusResponse(
                trace: found.record.trace, sender: nil, retryAfter: SMSUpstream.pollInterval)
        }
        let trace = found.record.trace
        do {
            let holder = try await holder(of: proven(found.record))
            let mask = try number(of: holder).masked
            return SMSUpstreamStatusResponse(
                trace: trace, sender: .init(carrier: holder.carrier, maskedNumber: mask),
                retryAfter: SMSUpstream.pollInterval)
        } catch {
            if authority.mayTraceRefusal(of: "sms \(found.record.id)") {
                await texts.note(trace, "sms.status", error.situation, error.detail)
            }
            var refusal = error
            refusal.trace = trace
            throw refusal
        }
    }

    /// Turns a text that has come, and the consent of the person who saw from whom, into a token.
    package func logIn(
        _ request: SMSUpstreamLoginRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse {
        let yes = Yes(
            appID: request.appID, dialect: request.dialect, transaction: request.transaction, consent: request.consent,
            assurance: .smsUpstream)
        let (texts, _) = try takesTexts()
        return try await logIn(yes, from: device) { (app) throws(Refusal) in
            let found = try await texts.record(
                of: request.transaction, app: app, deviceKey: device.proof.key.thumbprint, spends: true)
            guard found.hasArrived else {
                throw Refusal(.codeUnknown, "no message with the text has come yet", trace: found.record.trace)
            }
            return proven(found.record)
        }
    }

    private func proven(_ record: SMSUpstreamRecord) -> Proven {
        Proven(trace: record.trace, subscription: record.subscription, since: "the text came")
    }

    private func takesTexts() throws(Refusal) -> (texts: SMSUpstream, number: String) {
        guard let texts = codes.upstream, let number = texts.settings.number else {
            throw authority.failure(.capabilityMissing, "this installation has no number that phones send texts to")
        }
        return (texts, number)
    }
}
