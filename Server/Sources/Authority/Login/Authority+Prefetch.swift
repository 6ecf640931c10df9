import BenjiPolicy
@_spi(Server) package import BenjiProtocol
package import Requests
import Sightings
import Store

/// Step 2 of a login: who is this phone? Answers with a scrip and the mask.
extension Authority {
    /// Nothing is stored for a caller who is not a subscriber here, replays a proof or asks too often. The listener
    /// counts such requests by their codes. So cheap checks that write nothing come first. The limits are counted last,
    /// for callers who could otherwise be served.
    package func prefetch(
        _ request: PrefetchRequest, from device: DeviceCall
    ) async throws(Refusal) -> PrefetchResponse {
        let app = try await introduced(request, by: device)
        do { return try await prefetch(request, from: device, of: app) } catch {
            // For phones that no network reports: whether there is another way.
            var refusal = error
            refusal.smsLogin = app.record.workflow == .oneTapThenSMS
            throw refusal
        }
    }

    private func prefetch(
        _ request: PrefetchRequest, from device: DeviceCall, of app: RegisteredApp
    ) async throws(Refusal) -> PrefetchResponse {
        let trace = TraceID(at: expiryClock.now, random: random)
        let sighting: Sighting
        let subscription: SubscriptionRecord
        do { (sighting, subscription) = try await acceptedSighting(device.sighting) } catch {
            var events: [TraceEvent] = []
            if case .failure(let refusal) = device.sighting {
                events.append(tracer.event(trace, .gateway, "sighting", refusal.situation, refusal.detail))
            }
            events.append(tracer.event(trace, .authority, "prefetch", error.situation, error.detail))
            await tracer.record(events, isKept: false)
            throw error
        }
        return try await tracer.traced(
            trace, "prefetch", after: [tracer.event(trace, sighting: sighting, of: app.record.id)]
        ) {
            () async throws(Refusal) in
            try checkNew(device.proof)
            var service: PrefetchBudget.Service?
            var counted: Vouching?
            let (response, isBrief) = try await judged(byApp: app.record.id, seen: app) { (present) throws(Refusal) in
                if present.record.revision != app.record.revision {
                    try introduce(request, by: device, to: present)
                }
                return try await decidePrefetch(
                    request, from: device, app: present, sighting: sighting, subscription: subscription, trace: trace,
                    service: &service, counted: &counted)
            }
            return TracedAnswer(
                response, "\(response.carrier.rawValue), \(response.assurance.rawValue)", isKept: !isBrief)
        } keeps: { refusal in
            ![.proofReplayed, .tooManyRequests].contains(refusal.situation)
                && mayTraceRefusal(of: "\(app.record.id.rawValue)/\(subscription.id)")
        }
    }

    /// The app that the request names and whose key it knows, unless the app does without.
    private func introduced(
        _ request: PrefetchRequest, by device: DeviceCall
    ) async throws(Refusal) -> RegisteredApp {
        try checkTime(of: device.proof)
        return try await judged(byApp: request.appID) { (app) throws(Refusal) in
            try introduce(request, by: device, to: app)
            return app
        }
    }

    private func introduce(
        _ request: PrefetchRequest, by device: DeviceCall, to app: RegisteredApp
    ) throws(Refusal) {
        try checkInstall(
            of: app, bundleID: request.bundleID, appKeyProof: request.appKeyProof, proof: device.proof)
        guard !app.record.capabilities.isDisjoint(with: Capability.usual) else {
            throw failure(.capabilityMissing, "the app is registered for neither login nor verification")
        }
    }

    /// The SDK is one of the app's and knows its key, unless the app does without.
    package func checkInstall(
        of app: RegisteredApp, bundleID: String, appKeyProof: String?, proof: DeviceProof
    ) throws(Refusal) {
        guard app.record.bundleIDs.contains(bundleID) else {
            throw failure(.bundleMismatch, "the bundle id is not one that the app registered")
        }
        if let appKeyProof {
            let key = app.packageKeys.first { key in
                AppKeyProof.isValid(
                    appKeyProof, appKey: key.key.reveal(), appID: app.record.id, proofID: proof.id,
                    keyThumbprint: proof.key.thumbprint)
            }
            guard let key, key.isAccepted(at: expiryClock.now) else {
                throw failure(.appKeyWrong, "the SDK does not know the app's key")
            }
            note(key, of: app.record.id)
        } else if !app.record.phonesWithoutKey {
            throw failure(
                .appKeyWrong, "appKeyProof: missing; this app is not registered for phones without the app key")
        }
    }

    private func decidePrefetch(
        _ request: PrefetchRequest, from device: DeviceCall, app: RegisteredApp, sighting: Sighting,
        subscription: SubscriptionRecord, trace: TraceID, service: inout PrefetchBudget.Service?,
        counted: inout Vouching?
    ) async throws(Refusal) -> (PrefetchResponse, isBrief: Bool) {
        let record = app.record
        let thumbprint = device.proof.key.thumbprint
        // Judged again with each record of the app; its counter is taken once.
        let vouching = try await vouching(for: device, of: record, bundleID: request.bundleID, counted: counted)
        let assurance = assurance(vouching, sighting: sighting)
        guard assurance >= record.leastAssurance else {
            throw failure(
                .assuranceTooLow,
                "earned \(assurance.rawValue), the app accepts \(record.leastAssurance.rawValue) or more")
        }
        let policy = configuration.policy
        guard let entry = policy.carriers[sighting.carrier],
            let lifetimes = policy.lifetimes(sighting.carrier, request.dialect)
        else { throw failure(.carrierUnsupported, "this carrier is not in the policy") }
        let number: PhoneNumber
        do { number = try vault.number(of: subscription) } catch {
            throw failure(Refusal(error, "the subscription's number does not open"))
        }
        // Counted once, also for a request that is judged twice.
        if service == nil {
            service = try await self.service(
                of: thumbprint, app: record.id, subscription: sighting.subscription, assurance: assurance)
        }
        try await count(vouching, of: record.id, unless: &counted)
        let isBrief = service == .brief
        let lifetime = min(record.scripLifetime ?? .max, isBrief ? PrefetchBudget.briefLifetime : lifetimes.scrip)
        let scrip = CredentialGrammar.scrip.make(at: expiryClock.now, random: random)
        let nonce = CredentialGrammar.nonce.make(random: random)
        do {
            try await store.insertScrip(
                ScripRecord(
                    hash: CredentialHash(of: scrip, .scrip), family: random.family(), generation: 1, appID: record.id,
                    subscription: sighting.subscription, carrier: sighting.carrier, binding: sighting.binding,
                    deviceKey: thumbprint, nonceHash: CredentialHash(of: nonce), trace: trace,
                    dialect: request.dialect, reusable: lifetimes.scripReusable && !isBrief, isBrief: isBrief,
                    expiresAt: expiryClock.now + .seconds(lifetime)), appRevision: record.revision,
                fence: fence(of: sighting))
        } catch {
            throw error.code == .outdated ? appChanged() : failure(error)
        }
        // The mask shows seven digits and is for the page; apps without login get asterisks.
        let mask = record.capabilities.contains(.login) ? number.masked : String(repeating: "*", count: 11)
        let response = PrefetchResponse(
            trace: trace, scrip: scrip, scripLifetime: lifetime, maskedNumber: mask, carrier: sighting.carrier,
            policyVersion: policy.version, page: entry.page, nonce: nonce, assurance: assurance,
            attestationChallenge: record.takesAttestations ? attestationChallenge(for: record.id) : nil,
            smsLogin: record.workflow == .oneTapThenSMS, tickedPage: record.capabilities.contains(.tickedPage),
            serverTime: clock.now)
        return (response, isBrief)
    }

    private func isFamiliar(
        _ key: String?, to app: AppID, _ subscription: SubscriptionReference
    ) async throws(Refusal) -> Bool {
        guard let key else { return false }
        do { return try await store.isFamiliar(deviceKey: key, app: app, subscription: subscription) } catch {
            throw failure(error)
        }
    }

    /// Counts a caller, and says how it is served.
    /// - Parameter key: the device key's thumbprint; `nil` of a browser.
    func service(
        of key: String?, app: AppID, subscription: SubscriptionReference, assurance: Assurance
    ) async throws(Refusal) -> PrefetchBudget.Service {
        let service = try await prefetchBudget.take(
            "\(app.rawValue)/\(subscription.subscription)/\(key == nil ? "browser" : assurance.rawValue)", key: key,
            now: expiryClock.now
        ) { () async throws(Refusal) -> Bool in
            try await isFamiliar(key, to: app, subscription)
        }
        guard service != .refused else {
            throw failure(.tooManyRequests, "too many requests of this phone for this number; wait ten minutes")
        }
        return service
    }

    /// Ends a scrip and all its generations. Quiet about scrips that it does not know: there is nothing left to forget.
    package func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(Refusal) {
        try checkTime(of: device.proof)
        let lookup: ScripLookup
        do { lookup = try await store.scrip(CredentialHash(of: request.scrip, .scrip)) } catch { throw failure(error) }
        switch lookup {
        case .unknown, .revoked: return
        case .current(let scrip), .superseded(let scrip):
            guard scrip.deviceKey == device.proof.key.thumbprint, scrip.appID == request.appID else {
                throw failure(.scripStolen, "the scrip was issued to another device key", trace: scrip.trace)
            }
            try checkNew(device.proof)
            do { try await store.revokeScrips(family: scrip.family) } catch { throw failure(error) }
            await tracer.record(
                [tracer.event(scrip.trace, .authority, "forget", .success, "the scrip is ended")],
                isKept: !scrip.isBrief)
        }
    }
}
