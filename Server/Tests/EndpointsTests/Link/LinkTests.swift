import Foundation
import Hummingbird
import Logging
import NIOSSL
import ServerTestKit
import Sightings
import Store
import Synchronization
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Link
@testable import Requests
@testable import ServerHTTP

@Suite("A gateway and an authority apart", .serialized)
struct LinkTests {
    @Test("a phone's request crosses the link with all that stands around it, and the answer comes back whole")
    func honest() async throws {
        try await inLinkWorld { world in
            let device = world.device(.success(world.sighting(gateway: "gateway-1")))
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let prefetched = try await remote.prefetch(LinkWorld.prefetch, from: device)
                let call = DeviceCall(
                    proof: try DeviceProof(
                        verifying: CompactJWS(
                            parsing: device.request(.forget, .object([])).headers[.deviceProof] ?? "")),
                    attestation: nil, sighting: .failure(.unknownAddress))
                #expect(prefetched == (try await world.service.prefetch(LinkWorld.prefetch, from: call)))
                let authorized = try await remote.authorize(LinkWorld.authorize, from: device)
                #expect(authorized == (try await world.service.authorize(LinkWorld.authorize, from: call)))
                try await remote.forget(LinkWorld.forget, from: device)
                try await remote.register(LinkWorld.attestation, from: device)
                #expect(try await remote.policyDocument() == (await world.service.policyDocument()))
                #expect(try await remote.attestationChallenge(for: Fixtures.appID) == "challenge-of-\(Fixtures.appID)")
                #expect(await remote.problem() == nil)
            }
            let seen = world.service.seen
            #expect(seen.prefetches == [LinkWorld.prefetch, LinkWorld.prefetch])
            #expect(seen.authorizations == [LinkWorld.authorize, LinkWorld.authorize])
            #expect(seen.forgotten == [LinkWorld.forget])
            #expect(seen.attestations == [LinkWorld.attestation])
            #expect(seen.devices.count == 6)
            for arrived in seen.devices.prefix(1) + seen.devices.dropFirst(2).prefix(1) + seen.devices.suffix(2) {
                #expect(arrived.proof.key == device.signer.publicKey)
                #expect(arrived.proof.localAddress == device.localAddress)
                #expect(arrived.attestation == device.attestation)
                #expect(arrived.sighting == device.sighting)
            }
        }
    }

    @Test("a gateway that recognises nobody may say so, and the authority hears why")
    func noSighting() async throws {
        try await inLinkWorld { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                _ = try await remote.prefetch(LinkWorld.prefetch, from: world.device(.failure(.ambiguousAddress)))
            }
            #expect(world.service.seen.devices.map(\.sighting) == [.failure(.ambiguousAddress)])
        }
    }

    @Test("a phone's request for a code reaches the authority with the address that it came from")
    func smsCodes() async throws {
        try await inLinkWorld { world in
            var device = world.device(.failure(.unknownAddress))
            device.source = InternetAddress("2001:db8::7")
            let call = device
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let sent = try await remote.sendCode(LinkWorld.smsCode, from: call)
                #expect(sent.transaction == ScriptedDeviceService.transaction)
                let token = try await remote.logIn(LinkWorld.smsLogin, from: call)
                #expect(token.assurance == .sms)
                _ = try await remote.prefetch(LinkWorld.prefetch, from: call)
            }
            #expect(world.service.seen.codeRequests == [LinkWorld.smsCode])
            #expect(world.service.seen.codeLogins == [LinkWorld.smsLogin])
            #expect(world.service.seen.devices.map(\.source) == [call.source, call.source, call.source])
        }
    }

    @Test("a phone's request for a text reaches the authority with the address that it came from")
    func smsTexts() async throws {
        try await inLinkWorld { world in
            var device = world.device(.failure(.unknownAddress))
            device.source = InternetAddress("2001:db8::7")
            let call = device
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let given = try await remote.giveText(LinkWorld.text, from: call)
                #expect(given.serviceNumber == "10690123")
                let status = try await remote.textStatus(LinkWorld.textStatus, from: call)
                #expect(status.sender?.carrier == .mobile)
                let token = try await remote.logIn(LinkWorld.textLogin, from: call)
                #expect(token.assurance == .smsUpstream)
            }
            #expect(world.service.seen.textRequests == [LinkWorld.text])
            #expect(world.service.seen.textQuestions == [LinkWorld.textStatus])
            #expect(world.service.seen.textLogins == [LinkWorld.textLogin])
            #expect(world.service.seen.devices.map(\.source) == [call.source, call.source, call.source])
        }
    }

    @Test("the authority's no reaches the phone as it is")
    func refusalAsItIs() async throws {
        let failure = Refusal(
            .subscriptionChanged, "the SIM or the owner of the number changed; prefetch again",
            trace: Fixtures.trace, serverTime: Timestamp(milliseconds: 1_790_000_000_123))
        try await inLinkWorld(service: ScriptedDeviceService(failure: failure)) { world in
            let device = world.device(.success(world.sighting(gateway: "gateway-1")))
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                await #expect(throws: failure) { try await remote.authorize(LinkWorld.authorize, from: device) }
                await #expect(throws: failure) { try await remote.forget(LinkWorld.forget, from: device) }
            }
        }
    }

    @Test("what a gateway heard reaches the register, in parts when it is much, and the answers keep their order")
    func observations() async throws {
        try await inLinkWorld { world in
            let observations = (1000..<2100).map { world.observation("1380000\($0)") }
            let references = try await world.asGateway(try await world.certificates.gateway("gateway-1").client) {
                remote in
                try await remote.revoke((0..<1500).map { BindingID(rawValue: $0 - 700) })
                return try await remote.observe(observations)
            }
            #expect(references == observations.map(ScriptedRegisterService.reference))
            #expect(references.contains(nil))
            #expect(world.register.seen.batches.map(\.count) == [512, 512, 76])
            #expect(world.register.seen.batches.joined().map(\.number) == observations.map(\.number))
            #expect(world.register.seen.batches.joined().allSatisfy { $0.imsi == "460001234567890" })
            #expect(world.register.seen.revocations.map(\.count) == [1024, 476])
            #expect(world.register.seen.revocations.joined().map(\.rawValue) == (0..<1500).map { $0 - 700 })
        }
    }

    @Test("a gateway hears which rows were erased, of very many the newest", arguments: [0, 3, 30_000] as [Int64])
    func erased(count: Int64) async throws {
        let rows = (0..<count).map { Int64.max - $0 }
        try await inLinkWorld(register: ScriptedRegisterService(erased: rows)) { world in
            let told = try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                try await remote.erasedSubscriptions()
            }
            #expect(told == rows.suffix(20_000))
        }
    }

    @Test("a register that fails is told from a link that fails", arguments: [StoreError.Code.unavailable, .corrupt])
    func registerFails(code: StoreError.Code) async throws {
        let error = StoreError(code, "changeSubscriptions: disk full")
        try await inLinkWorld(register: ScriptedRegisterService(error: error)) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let first = await #expect(throws: StoreError.self) {
                    try await remote.observe([world.observation("13800001001")])
                }
                #expect(first?.code == code)
                #expect(first?.detail == error.detail)
                let second = await #expect(throws: StoreError.self) {
                    try await remote.revoke([BindingID(rawValue: 1)])
                }
                #expect(second?.code == code)
                let third = await #expect(throws: StoreError.self) { try await remote.erasedSubscriptions() }
                #expect(third?.code == code)
                #expect(await remote.problem() == "store \(code.rawValue)")
            }
        }
    }

    @Test("requests one after another share one connection")
    func reuse() async throws {
        let peers = Mutex<Set<Peer>>([])
        let route = EndpointRoute(.get, LinkPath.erased.rawValue) { _, context in
            if let peer = context.peer { _ = peers.withLock { $0.insert(peer) } }
            return Response(LinkAnswer.answer(ErasedSubscriptions([]).json).json)
        }
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        let log = LogBook()
        try await withListener([route], tls: try await certificates.authority().server, logger: log.logger) { port in
            try await withRemote(
                "https://127.0.0.1:\(port)", try await certificates.gateway("gateway-1").client, logger: log.logger
            ) { remote in
                for _ in 0..<20 { _ = try await remote.erasedSubscriptions() }
            }
        }
        #expect(peers.withLock { $0.count } == 1)
    }

    @Test("no log line of either side names a number, a SIM or a credential")
    func logs() async throws {
        try await inLinkWorld { world in
            let gateway = try await world.certificates.gateway("gateway-1").client
            try await world.asGateway(gateway) { remote in
                _ = try await remote.observe([world.observation("13800001001")])
                _ = try await remote.authorize(
                    LinkWorld.authorize, from: world.device(.success(world.sighting(gateway: "gateway-1"))))
                // Refusals and faults too.
                _ = try? await remote.observe([world.observation("13800001001", carrier: .telecom)])
                _ = try? await remote.authorize(
                    LinkWorld.authorize, from: world.device(.success(world.sighting(gateway: "gateway-2"))))
            }
            let text = world.log.lines.joined(separator: "\n")
            #expect(text.contains("/link/v1/observe"))
            #expect(text.contains("not_trusted"))
            for secret in [
                "13800001001", "460001234567890", ScriptedDeviceService.scrip, Fixtures.loginToken, "attestation",
            ] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }
}
