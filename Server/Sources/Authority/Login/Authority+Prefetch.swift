@_spi(Server) public import BenjiProtocol
internal import Store

/// Step 2 of a login: who is this phone? Answers with a scrip and the mask.
extension Authority {
    public func prefetch(
        _ request: PrefetchRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> PrefetchResponse {
        let trace = TraceID(random: random)
        do {
            let response = try await decidePrefetch(request, from: device, trace: trace)
            await tracer.record(
                trace, .authority, "prefetch", .success, "\(response.carrier.rawValue), \(response.assurance.rawValue)")
            return response
        } catch {
            await tracer.record(trace, .authority, "prefetch", error.situation, error.detail)
            throw DeviceFailure(
                situation: error.situation, detail: error.detail, trace: trace, serverTime: error.serverTime)
        }
    }

    private func decidePrefetch(
        _ request: PrefetchRequest, from device: DeviceCall, trace: TraceID
    ) async throws(DeviceFailure) -> PrefetchResponse {
        try checkTime(of: device.proof)
        let app = try await liveApp(request.appID)
        let record = app.record
        guard record.bundleIDs.contains(request.bundleID) else {
            throw failure(.bundleMismatch, "the bundle id is not one that the app registered")
        }
        let thumbprint = device.proof.key.thumbprint
        guard
            AppKeyProof.isValid(
                request.appKeyProof, appKey: app.key.reveal(), appID: record.id, proofID: device.proof.id,
                keyThumbprint: thumbprint)
        else { throw failure(.appKeyWrong, "the SDK does not know the app's key") }
        guard prefetchLimiter.admits("\(record.id.rawValue)/\(thumbprint)", now: clock.now) else {
            throw failure(.tooManyRequests, "too many prefetches from this device; wait ten minutes")
        }
        try checkNew(device.proof)
        let (sighting, subscription) = try await acceptedSighting(device, trace: trace)
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
                    hash: CredentialHash(of: scrip), family: newFamily(), generation: 1, appID: record.id,
                    subscription: sighting.subscription, carrier: sighting.carrier, binding: sighting.binding,
                    deviceKey: thumbprint, nonceHash: CredentialHash(of: nonce), trace: trace,
                    dialect: request.dialect, reusable: lifetimes.scripReusable,
                    expiresAt: clock.now + .seconds(lifetime)))
        } catch {
            throw failure(error)
        }
        return PrefetchResponse(
            trace: trace, scrip: scrip, scripLifetime: lifetime, maskedNumber: number.masked, carrier: sighting.carrier,
            policyVersion: policy.version, page: entry.page, nonce: nonce, assurance: assurance, serverTime: clock.now)
    }

    /// 63 random bits: a family is a name, not a count.
    private func newFamily() -> Int64 { random.bytes(8).reduce(0) { $0 << 8 | Int64($1) } & .max }

    /// Ends a scrip and all its generations. Quiet about scrips that it does not know: there is nothing left to forget.
    public func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(DeviceFailure) {
        try checkTime(of: device.proof)
        try checkNew(device.proof)
        let lookup: ScripLookup
        do { lookup = try await store.scrip(CredentialHash(of: request.scrip)) } catch { throw failure(error) }
        switch lookup {
        case .unknown, .revoked: return
        case .current(let scrip), .superseded(let scrip):
            guard scrip.deviceKey == device.proof.key.thumbprint, scrip.appID == request.appID else {
                throw failure(.scripStolen, "the scrip was issued to another device key", trace: scrip.trace)
            }
            do { try await store.revokeScrips(family: scrip.family) } catch { throw failure(error) }
            await tracer.record(scrip.trace, .authority, "forget", .success, "the scrip is ended")
        }
    }
}
