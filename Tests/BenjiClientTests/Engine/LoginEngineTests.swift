import BenjiPolicy
import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

@Suite struct LoginEngineTests {
    @Test("A login prefetches, shows the page, and asks for a token with a signed consent, in this order")
    func wholeLogin() async throws {
        let lab = EngineLab(.prefetched(), .authorized())
        let presenter = FakePresenter(clock: lab.wallClock)
        let token = try await lab.engine.logIn(with: presenter)
        #expect(token.token == EngineLab.token)
        #expect(token.lifetime == .seconds(120))
        #expect(token.openID == EngineLab.openID)
        #expect(token.purpose == .login)
        #expect(token.carrier == .unicom)
        #expect(await lab.paths == ["prefetch", "authorize"])
        #expect(await presenter.offers.map(\.maskedNumber) == ["138****4321"])
        #expect(await lab.engine.trace == EngineLab.trace)

        let request = try AuthorizeRequest(try await lab.transport.requests[1].json)
        #expect(request.purpose == .login)
        #expect(request.scrip == EngineLab.scrip(1))
        let consent = try ConsentRecord(verifying: try #require(request.consent), key: lab.signer.publicKey)
        #expect(consent.scripHash == ConsentRecord.hash(of: EngineLab.scrip(1)))
        #expect(consent.nonceHash == ConsentRecord.hash(of: EngineLab.nonce(1)))
        #expect(consent.trace == EngineLab.trace)
        #expect(consent.contentDigest == consent.content.digest)
        #expect(consent.content.links.first?.url == CarrierPolicy.standard.carriers[.unicom]?.page.termsURL)
        #expect(consent.shownAt < consent.tickedAt && consent.tickedAt < consent.tappedAt)
    }

    @Test(
        """
        Every request carries a fresh proof that covers it and names the local address, and shows the app key without \
        sending it
        """
    )
    func proofs() async throws {
        let lab = EngineLab(.prefetched(), .authorized())
        _ = try await lab.engine.verificationToken()
        let requests = await lab.transport.requests
        let proofs = try requests.map { try $0.proof }
        for (request, proof) in zip(requests, proofs) {
            #expect(proof.covers(method: "POST", urls: [request.url.text], body: request.body))
            #expect(proof.key == lab.signer.publicKey)
            #expect(proof.localAddress == InternetAddress("10.1.2.3"))
            #expect(proof.issuedAt == lab.wallClock.now)
            #expect(request.headers[ClientAttestation.headerName] == nil)
            #expect(request.headers["content-type"] == "application/json")
        }
        #expect(Set(proofs.map(\.id)).count == 2)
        #expect(requests.map(\.endsConnection) == [false, true], "the connection serves both and no longer")
        #expect(
            requests.map(\.url.text) == [
                "https://gate.example/base/device/v1/prefetch", "https://gate.example/base/device/v1/authorize",
            ])
        let prefetch = try PrefetchRequest(try requests[0].json)
        #expect(
            AppKeyProof.isValid(
                try #require(prefetch.appKeyProof), appKey: EngineLab.appKey, appID: EngineLab.appID,
                proofID: proofs[0].id,
                keyThumbprint: lab.signer.publicKey.thumbprint))
        #expect(!String(decoding: requests[0].body, as: UTF8.self).contains(EngineLab.appKey))
    }

    @Test("Without an app key a prefetch carries no proof of one, and the rest of it is the same")
    func withoutAppKey() async throws {
        let lab = EngineLab(.prefetched(), appKey: nil)
        _ = try await lab.engine.prefetch()
        let requests = await lab.transport.requests
        let request = try #require(requests.first)
        let prefetch = try PrefetchRequest(try request.json)
        #expect(prefetch.appKeyProof == nil)
        #expect(prefetch.appID == EngineLab.appID)
        #expect(try request.proof.key == lab.signer.publicKey)
    }

    @Test("An attestation rides along; a provider that fails does not end the login")
    func attestations() async throws {
        struct Provider: AttestationProvider {
            var text: String?
            func attestation(
                for key: DevicePublicKey, appID: AppID, bundleID: String, challenge: AttestationChallenge
            ) async throws -> String? {
                guard let text else { throw TransportError(.connectionLost, at: "attester", "") }
                return text
            }
        }
        let attested = EngineLab(.prefetched(), attestation: Provider(text: "a.b.c"))
        _ = try await attested.engine.prefetch()
        #expect(await attested.transport.requests[0].headers[ClientAttestation.headerName] == "a.b.c")
        let failing = EngineLab(.prefetched(), attestation: Provider(text: nil))
        _ = try await failing.engine.prefetch()
        #expect(await failing.transport.requests[0].headers[ClientAttestation.headerName] == nil)
    }

    @Test(
        """
        An attestation is made for the server's challenge: asked for once, and then the one that comes with each \
        prefetch
        """
    )
    func challenges() async throws {
        struct Attester: AttestationProvider {
            func attestation(
                for key: DevicePublicKey, appID: AppID, bundleID: String, challenge: AttestationChallenge
            ) async throws -> String? { "for.\(try await challenge.value()).x" }
        }
        func attested(_ lab: EngineLab) async -> [String?] {
            await lab.transport.requests.map { $0.headers[ClientAttestation.headerName] }
        }
        let lab = EngineLab(
            .json(.object(["code": "success", "challenge": "first"])), .prefetched(challenge: "second"), .authorized(),
            attestation: Attester())
        _ = try await lab.engine.logIn(with: FakePresenter(clock: lab.wallClock))
        #expect(await lab.paths == ["challenge", "prefetch", "authorize"])
        #expect(await lab.transport.requests[0].url.text.hasSuffix("/device/v1/challenge?app=300000000001"))
        #expect(await attested(lab) == [nil, "for.first.x", "for.second.x"])
        // A server that has none: the request goes out without an attestation.
        let none = EngineLab(.refused(.notFound), .prefetched(), attestation: Attester())
        _ = try await none.engine.prefetch()
        #expect(await attested(none) == [nil, nil])
    }

    @Test("A page that is not shown beside another app ends the login in a situation of its own, and asks for no token")
    func splitView() async throws {
        let lab = EngineLab(.prefetched(), .authorized())
        let error = await EngineLab.error { () async throws(BenjiError) in
            _ = try await lab.engine.logIn(with: FakePresenter(.does { _ in .sharesScreen }))
        }
        #expect(error?.situation == .splitViewUnsupported)
        #expect(await lab.paths == ["prefetch"])
    }

    @Test(
        "A token is never asked for before a consent",
        arguments: [
            FakePresenter.Person.cancels, .switchesAccount, .seesNoPage,
            .does { offer in
                var consent = FakePresenter.consent(to: offer, at: Timestamp(seconds: 1_790_000_000))
                swap(&consent.tickedAt, &consent.tappedAt)
                return .consented(consent)
            },
            .does { offer in
                var consent = FakePresenter.consent(to: offer, at: Timestamp(seconds: 1_790_000_000))
                swap(&consent.shownAt, &consent.tickedAt)
                return .consented(consent)
            },
            .does { offer in
                var consent = FakePresenter.consent(to: offer, at: Timestamp(seconds: 1_790_000_000))
                consent.content.initiallyTicked = true
                return .consented(consent)
            },
            .does { offer in
                var consent = FakePresenter.consent(to: offer, at: Timestamp(seconds: 1_790_000_000))
                consent.content.policyVersion = "another"
                return .consented(consent)
            },
        ])
    func noTokenWithoutConsent(person: FakePresenter.Person) async throws {
        let lab = EngineLab(.prefetched(), .authorized())
        let error = await EngineLab.error { () async throws(BenjiError) in
            _ = try await lab.engine.logIn(with: FakePresenter(person))
        }
        switch person {
        case .cancels: #expect(error?.situation == .userCancelled)
        case .switchesAccount: #expect(error?.situation == .switchAccount)
        default: #expect(error?.situation == .pageFailed)
        }
        #expect(error?.trace == EngineLab.trace)
        #expect(await lab.paths == ["prefetch"])
        // The person's no costs no prefetch: the next try shows the page at once.
        #expect(try await lab.engine.prefetch().fromMemory)
    }

    @Test("While the page is open nothing is sent")
    func nothingWhilePageIsOpen() async throws {
        let lab = EngineLab(.prefetched(), .authorized())
        let presenter = FakePresenter(
            .does { [transport = lab.transport] offer in
                #expect(await transport.requests.count == 1)
                return .consented(FakePresenter.consent(to: offer, at: Timestamp(seconds: 1_790_000_000)))
            })
        _ = try await lab.engine.logIn(with: presenter)
        #expect(await lab.transport.requests.count == 2)
    }

    @Test("A second call while one runs is refused and disturbs nothing")
    func secondCall() async throws {
        let lab = EngineLab(.silence)
        async let first: BenjiError? = EngineLab.error { () async throws(BenjiError) in
            _ = try await lab.engine.prefetch()
        }
        await lab.transport.sent(1)
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }
                == BenjiError(.alreadyRunning, ""))
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.logIn(with: FakePresenter())
            }?.situation
                == .alreadyRunning)
        #expect(
            await EngineLab.error { () async throws(BenjiError) in try await lab.engine.forget() }?.situation
                == .alreadyRunning)
        #expect(await lab.transport.requests.count == 1)
        await lab.engine.cancel()
        #expect(await first?.situation == .cancelledByApp)
        // And when it is over, the engine is free again.
        await lab.transport.append(.prefetched())
        #expect(!(try await lab.engine.prefetch().fromMemory))
    }

    @Test(
        "Every transport failure has its situation",
        arguments: [
            (.noNetwork, .noNetwork), (.cellularUnavailable, .cellularDataOff), (.timedOut, .timedOut),
            (.connectionRefused, .connectionRefused),
            (.connectionLost, .networkFailure), (.nameNotResolved, .nameNotResolved), (.tlsFailed, .tlsFailure),
            (.malformedResponse, .malformedResponse), (.tooLarge, .malformedResponse), (.cancelled, .cancelledByApp),
            (.invalidRequest, .invalidArgument), (.internalFailure, .networkFailure),
            (.init(rawValue: "later"), .networkFailure),
        ] as [(TransportError.Code, Situation)])
    func transportFailures(code: TransportError.Code, situation: Situation) async {
        let lab = EngineLab(.broken(code))
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }?.situation
                == situation)
        let offline = EngineLab(.prefetched(), localAddress: .failure(TransportError(code, at: "wwan0", "")))
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await offline.engine.prefetch() }?.situation
                == situation)
        #expect(await offline.transport.requests.isEmpty, "without an address nothing is sent")
    }

    @Test(
        "An answer that is not the dialect's is malformed",
        arguments: [
            (200, ""), (200, "{}"), (200, "[1]"), (200, "<html>"), (302, ""), (502, "<html>"), (403, "{}"),
            (403, #"{"code":"success"}"#),
            (200, #"{"code":"success","trace":"x"}"#),
        ])
    func malformedAnswers(status: Int, body: String) async {
        let lab = EngineLab(.response(TransportResponse(status: status, body: Array(body.utf8))))
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }?.situation
                == .malformedResponse)
    }

    @Test("A refusal is one whatever its status")
    func refusalWithStatus200() async {
        let failure = DeviceFailure(situation: .overloaded, detail: "")
        let lab = EngineLab(.refusal(failure, status: 200))
        let error = await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }
        #expect(error?.situation == .overloaded)
    }

    @Test("A refusal keeps its situation, detail and trace")
    func refusals() async {
        let lab = EngineLab(.refused(.appSuspended, detail: "the app is suspended"))
        let error = await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }
        #expect(error?.situation == .appSuspended)
        #expect(error?.detail == "the app is suspended")
        #expect(error?.trace == EngineLab.trace)
    }

    @Test("A key that cannot be had ends the call before anything is sent")
    func noKey() async {
        struct NoKey: DeviceKeyStore {
            func signer() async throws(DeviceKeyError) -> any DeviceSigner {
                throw DeviceKeyError(.locked, at: "here", "locked")
            }
            func removeKey() async throws(DeviceKeyError) {}
        }
        let lab = EngineLab(.prefetched(), keyStore: NoKey())
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }?.situation
                == .deviceKeyUnavailable)
        #expect(await lab.transport.requests.isEmpty)
    }
}
