import BenjiPolicy
package import BenjiProtocol
package import Requests
package import Sightings
package import Store

/// The checks that every request of a phone passes, cheapest first.
extension Authority {
    package func failure(_ situation: Situation, _ detail: String, trace: TraceID? = nil) -> Refusal {
        Refusal(situation, detail, trace: trace, serverTime: clock.now)
    }

    package func failure(_ error: StoreError, trace: TraceID? = nil) -> Refusal {
        error.code == .gatewayReplaced ? gatewayReplaced() : failure(Refusal(error), trace: trace)
    }

    package func failure(_ refusal: Refusal, trace: TraceID? = nil) -> Refusal {
        failure(refusal.situation, refusal.detail, trace: trace)
    }

    /// The app, if it exists and may be answered at all.
    package func liveApp(_ id: AppID) async throws(Refusal) -> RegisteredApp {
        do {
            let app = try await apps.find(id)
            try app.record.checkAnswered()
            return app
        } catch { throw failure(error.situation, error.detail) }
    }

    /// The present record of the app, for a request of an SDK that is the app's and knows its key. Nothing that follows
    /// compares the record's revision.
    package func liveApp(
        _ id: AppID, installedAs bundleID: String, appKeyProof: String?, by device: DeviceCall
    ) async throws(Refusal) -> RegisteredApp {
        try checkTime(of: device.proof)
        let app = try await liveApp(id)
        try checkInstall(of: app, bundleID: bundleID, appKeyProof: appKeyProof, proof: device.proof)
        return app
    }

    /// Judges a phone's request by the app's record as this process last saw it. If that refuses the request or proves
    /// outdated, the present record decides (decision 21).
    ///
    /// - Parameters:
    ///   - seen: the record that earlier checks of the request went by.
    ///   - judge: changes nothing, except by a write for which the store compares the record's revision.
    func judged<Answer>(
        byApp id: AppID, seen: RegisteredApp? = nil,
        _ judge: (RegisteredApp) async throws(Refusal) -> Answer
    ) async throws(Refusal) -> Answer {
        var former: (revision: Int64, refusal: Refusal)?
        if let app = seen ?? apps.remembered(id) {
            do {
                try app.record.checkAnswered()
                return try await judge(app)
            } catch { former = (app.record.revision, error) }
        }
        var attempts = 0
        while true {
            let app = try await liveApp(id)
            // The same record would refuse again.
            if let former, former.revision == app.record.revision { throw former.refusal }
            do { return try await judge(app) } catch {
                attempts += 1
                guard error.isAppOutdated, attempts < 3 else { throw error }
                former = nil
            }
        }
    }

    /// The app's record is another than the one that the request was judged by.
    func appChanged() -> Refusal {
        var refusal = failure(.internalError, "the app's registration was being changed; try again")
        refusal.isAppOutdated = true
        return refusal
    }

    /// The phone was seen by a gateway that no longer owns its pair. The address may be another user's by now.
    func gatewayReplaced() -> Refusal {
        failure(.addressStale, "another gateway has taken over since the phone was seen; try again")
    }

    /// Under which ownership a phone was seen, for the writes that its sighting leads to; `nil` if its gateway is of no
    /// pair.
    func fence(of sighting: Sighting) -> PairFence? {
        guard let pair = configuration.pairs[sighting.gateway], let fence = sighting.fence else { return nil }
        return PairFence(pair: pair, owner: sighting.gateway, fence: fence)
    }

    /// Refuses what a gateway of a pair saw without owning it. Looked at here for whatever only reads; writes compare
    /// it again.
    private func checkOwner(of sighting: Sighting) async throws(Refusal) {
        guard let pair = configuration.pairs[sighting.gateway] else {
            guard sighting.fence == nil else {
                throw failure(
                    .gatewayNotTrusted,
                    "the gateway is of a pair, and this node was not told: name it in gateways.\(sighting.gateway).pair"
                )
            }
            return
        }
        guard sighting.fence != nil else {
            throw failure(.gatewayNotTrusted, "a gateway of a pair must say under which ownership it saw the phone")
        }
        let standing: PairStanding
        do { standing = try await store.standing(ofPair: pair) } catch { throw failure(error) }
        guard standing.owner == sighting.gateway, standing.fence == sighting.fence else { throw gatewayReplaced() }
    }

    /// The proof is of our time.
    package func checkTime(of proof: DeviceProof) throws(Refusal) { try proofs.checkTime(of: proof) }

    /// The proof has not been shown before. Last of the cheap checks, because it is remembered.
    func checkNew(_ proof: DeviceProof) throws(Refusal) { try proofs.checkNew(proof) }

    /// The same without a sighting and a scrip: unknown callers must not fill the memory that subscribers need.
    func checkNewOfStranger(_ proof: DeviceProof) throws(Refusal) { try unknownDeviceProofs.checkNew(proof) }

    /// The sighting and its subscription. Throws if there is no sighting or its gateway may not state it. Throws also
    /// if its carrier is switched off, or the register has a newer SIM or owner.
    package func acceptedSighting(
        _ result: Result<Sighting, SightingRefusal>
    ) async throws(Refusal) -> (Sighting, SubscriptionRecord) {
        let sighting: Sighting
        switch result {
        case .success(let seen):
            RequestSubject.current?.prove()
            sighting = seen
        case .failure(let refusal): throw failure(refusal.situation, refusal.detail)
        }
        guard configuration.gateways[sighting.gateway]?.contains(sighting.carrier) == true else {
            throw failure(.gatewayNotTrusted, "this gateway may not speak for this carrier")
        }
        guard configuration.policy.carriers[sighting.carrier]?.enabled == true else {
            throw failure(.carrierUnsupported, "this carrier is switched off")
        }
        try await checkOwner(of: sighting)
        RequestSubject.current?.note(carrier: sighting.carrier)
        let row: SubscriptionRecord?
        do { row = try await store.subscription(sighting.subscription.subscription) } catch { throw failure(error) }
        // A gateway of one carrier cannot sight another one's subscriber, whatever row it names.
        guard row?.carrier == sighting.carrier || row == nil else {
            throw failure(.gatewayNotTrusted, "the subscription belongs to another carrier than the gateway names")
        }
        guard let row, row.reference == sighting.subscription else {
            throw failure(.addressStale, "the register has a newer SIM or owner than the session behind this address")
        }
        return (sighting, row)
    }

    /// The assurance of a request, with or without a party that vouches for it.
    func assurance(_ vouching: Vouching?, sighting: Sighting) -> Assurance {
        guard vouching != nil else { return .net }
        // Only an attested app's statement of its address counts; other clients can send any.
        return sighting.localAddressConfirmed ? .netAppAddress : .netApp
    }

    /// The party that vouches for the device key: an attester of the app, or a registered key of the install; `nil` for
    /// none. A wrong attestation is refused, not ignored: nothing is silently downgraded.
    /// - Parameter bundleID: the bundle that it must be for; `nil` for any of the app's.
    package func vouching(
        for device: DeviceCall, of app: AppRecord, bundleID: String? = nil, counted: Vouching? = nil
    ) async throws(Refusal) -> Vouching? {
        guard let text = device.attestation else { return nil }
        if KeyAssertion.isNamed(in: text) {
            return try await vouching(by: text, of: device, for: app, bundleID: bundleID, counted: counted)
        }
        let attestation: ClientAttestation
        do {
            var attesters: [DevicePublicKey] = []
            for jwk in app.attesters { attesters.append(try DevicePublicKey(jwk: try JSON(parsing: jwk))) }
            attestation = try ClientAttestation(verifying: text, attesters: attesters)
        } catch {
            throw failure(.attestationInvalid, error.description)
        }
        guard attestation.appID == app.id, attestation.keyThumbprint == device.proof.key.thumbprint,
            app.bundleIDs.contains(attestation.bundleID), bundleID == nil || bundleID == attestation.bundleID
        else { throw failure(.attestationInvalid, "the attestation is for another app or key") }
        try checkTime(of: attestation)
        return .attester
    }
}

extension SightingRefusal {
    /// The situation with which a login is refused.
    package var situation: Situation {
        switch self {
        case .unknownAddress: .addressUnknown
        case .staleAddress, .unconfirmedAddress: .addressStale
        case .ambiguousAddress: .addressAmbiguous
        case .unsupportedSubscriber: .subscriberUnsupported
        }
    }

    var detail: String {
        switch self {
        case .unknownAddress:
            "the request did not come from a mobile-data session of this network; is it on Wi-Fi or behind a VPN?"
        case .staleAddress: "nothing was heard of the session behind this address for too long"
        case .unconfirmedAddress:
            "the gateway may have missed news of this address and waits to hear of it again; try again in a few minutes"
        case .ambiguousAddress: "more than one subscription may be behind this address and port"
        case .unsupportedSubscriber: "the card behind this address cannot log in"
        }
    }
}
