@_spi(Server) public import BenjiProtocol
internal import Store

/// Step 2 of a login: who is this phone? Answers with a scrip and the mask.
extension Authority {
    public func prefetch(
        _ request: PrefetchRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> PrefetchResponse {
        // Strangers leave no trace: whoever cannot even name an app and its key must not fill the store.
        let app = try await introduced(request, by: device)
        let trace = TraceID(random: random)
        switch device.sighting {
        case .success(let sighting):
            await tracer.record(
                trace, .gateway, "sighting", .success, "\(sighting.carrier.rawValue), by \(sighting.gateway)")
        case .failure(let refusal):
            await tracer.record(trace, .gateway, "sighting", refusal.situation, refusal.detail)
        }
        do {
            let response = try await decidePrefetch(request, from: device, app: app, trace: trace)
            await tracer.record(
                trace, .authority, "prefetch", .success, "\(response.carrier.rawValue), \(response.assurance.rawValue)")
            return response
        } catch {
            await tracer.record(trace, .authority, "prefetch", error.situation, error.detail)
            throw DeviceFailure(
                situation: error.situation, detail: error.detail, trace: trace, serverTime: error.serverTime)
        }
    }

    /// The app that the request names and whose key it knows, unless the app does without.
    private func introduced(
        _ request: PrefetchRequest, by device: DeviceCall
    ) async throws(DeviceFailure) -> RegisteredApp {
        try checkTime(of: device.proof)
        let app = try await liveApp(request.appID)
        try checkInstall(
            of: app, bundleID: request.bundleID, appKeyProof: request.appKeyProof, proof: device.proof)
        guard !app.record.capabilities.isDisjoint(with: Capability.usual) else {
            throw failure(.capabilityMissing, "the app is registered for neither login nor verification")
        }
        return app
    }

    /// The SDK is one of the app's and knows its key, unless the app does without.
    func checkInstall(
        of app: RegisteredApp, bundleID: String, appKeyProof: String?, proof: DeviceProof
    ) throws(DeviceFailure) {
        guard app.record.bundleIDs.contains(bundleID) else {
            throw failure(.bundleMismatch, "the bundle id is not one that the app registered")
        }
        if let appKeyProof {
            guard
                AppKeyProof.isValid(
                    appKeyProof, appKey: app.key.reveal(), appID: app.record.id, proofID: proof.id,
                    keyThumbprint: proof.key.thumbprint)
            else { throw failure(.appKeyWrong, "the SDK does not know the app's key") }
        } else if !app.record.phonesWithoutKey {
            throw failure(
                .appKeyWrong, "appKeyProof: missing; this app is not registered for phones without the app key")
        }
    }

    private func decidePrefetch(
        _ request: PrefetchRequest, from device: DeviceCall, app: RegisteredApp, trace: TraceID
    ) async throws(DeviceFailure) -> PrefetchResponse {
        let record = app.record
        let thumbprint = device.proof.key.thumbprint
        let (sighting, subscription) = try await acceptedSighting(device.sighting, trace: trace)
        // By app and subscription: keys cost nothing, and a new one must not buy another look at the mask.
        guard prefetchLimiter.admits("\(record.id.rawValue)/\(subscription.id)", now: lives.now) else {
            throw failure(.tooManyRequests, "too many prefetches of this app for this number; wait ten minutes")
        }
        try checkNew(device.proof)
        let assurance = try assurance(
            of: device, sighting: sighting, app: record, bundleID: request.bundleID, trace: trace)
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
            throw failure(.internalError, "the subscription's number does not open")
        }
        let lifetime = min(record.scripLifetime ?? .max, lifetimes.scrip)
        let scrip = CredentialGrammar.scrip.make(random: random)
        let nonce = CredentialGrammar.nonce.make(random: random)
        do {
            try await store.insertScrip(
                ScripRecord(
                    hash: CredentialHash(of: scrip), family: random.family(), generation: 1, appID: record.id,
                    subscription: sighting.subscription, carrier: sighting.carrier, binding: sighting.binding,
                    deviceKey: thumbprint, nonceHash: CredentialHash(of: nonce), trace: trace,
                    dialect: request.dialect, reusable: lifetimes.scripReusable,
                    expiresAt: lives.now + .seconds(lifetime)))
        } catch {
            throw failure(error)
        }
        // Seven digits are for the page. An app that has none learns nothing before it asks.
        let mask = record.capabilities.contains(.login) ? number.masked : String(repeating: "*", count: 11)
        return PrefetchResponse(
            trace: trace, scrip: scrip, scripLifetime: lifetime, maskedNumber: mask, carrier: sighting.carrier,
            policyVersion: policy.version, page: entry.page, nonce: nonce, assurance: assurance, serverTime: clock.now)
    }

    /// 63 random bits: a family is a name, not a count.
    /// Ends a scrip and all its generations. Quiet about scrips that it does not know: there is nothing left to forget.
    public func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(DeviceFailure) {
        try checkTime(of: device.proof)
        let lookup: ScripLookup
        do { lookup = try await store.scrip(CredentialHash(of: request.scrip)) } catch { throw failure(error) }
        switch lookup {
        case .unknown, .revoked: return
        case .current(let scrip), .superseded(let scrip):
            guard scrip.deviceKey == device.proof.key.thumbprint, scrip.appID == request.appID else {
                throw failure(.scripStolen, "the scrip was issued to another device key", trace: scrip.trace)
            }
            try checkNew(device.proof)
            do { try await store.revokeScrips(family: scrip.family) } catch { throw failure(error) }
            await tracer.record(scrip.trace, .authority, "forget", .success, "the scrip is ended")
        }
    }
}
