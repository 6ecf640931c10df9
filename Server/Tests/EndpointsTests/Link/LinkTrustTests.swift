import Foundation
import NIOSSL
import ServerTestKit
import Sightings
import Store
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Link
@testable import Requests

@Suite("Who may speak over the link", .serialized)
struct LinkTrustTests {
    @Test("a caller without a certificate is refused in the handshake")
    func noCertificate() async throws {
        try await inLinkWorld { world in
            var tls = try await world.certificates.gateway("gateway-1").client
            tls.certificateChain = []
            tls.privateKey = nil
            #expect(try await world.refusal(as: tls, sightedBy: "gateway-1") == .overloaded)
            #expect(world.service.seen.devices.isEmpty)
        }
    }

    @Test("a listener that was set up without asking for certificates still lets nobody in")
    func naiveListener() async throws {
        // The naive listener: TLS as for phones. What the handshake does not stop, the routes must.
        // swift-format-ignore: OnlyOneTrailingClosureArgument
        try await inLinkWorld(server: { certificates in
            var tls = try await certificates.authority().server
            tls.certificateVerification = .none
            return tls
        }) { world in
            var tls = try await world.certificates.gateway("gateway-1").client
            tls.certificateChain = []
            tls.privateKey = nil
            #expect(try await world.refusal(as: tls, sightedBy: "gateway-1") == .gatewayNotTrusted)
            #expect(world.service.seen.devices.isEmpty)
            try await world.asGateway(tls) { remote in
                await #expect(throws: Refusal.self) { try await remote.policyDocument() }
                await #expect(throws: StoreError.self) { try await remote.observe([world.observation("13800001001")]) }
                await #expect(throws: StoreError.self) { try await remote.revoke([BindingID(rawValue: 1)]) }
            }
            #expect(world.register.seen.batches.isEmpty)
            #expect(world.register.seen.revocations.isEmpty)
        }
    }

    @Test("what a gateway asks for itself counts as proven by its certificate")
    func proven() async throws {
        try await inLinkWorld { world in
            let tls = try await world.certificates.gateway("gateway-1").client
            let observation = world.observation("13800001001")
            try await world.asGateway(tls) { remote in _ = try await remote.observe([observation]) }
            #expect(world.register.seen.proven == [true])
        }
    }

    @Test("a certificate of another authority is refused, whatever name it bears")
    func otherAuthority() async throws {
        try await inLinkWorld { world in
            let forged = try await world.certificates.gateway("gateway-1", signer: "other-ca").client
            #expect(try await world.refusal(as: forged, sightedBy: "gateway-1") == .overloaded)
            #expect(world.service.seen.devices.isEmpty)
        }
        // The naive double: a listener that trusts the other authority too lets the same certificate in.
        // swift-format-ignore: OnlyOneTrailingClosureArgument
        try await inLinkWorld(server: { certificates in
            var tls = try await certificates.authority().server
            tls.trustRoots = .certificates(
                try ["link-ca", "other-ca"].flatMap {
                    try NIOSSLCertificate.fromPEMFile(certificates.path("\($0).pem"))
                })
            return tls
        }) { world in
            let forged = try await world.certificates.gateway("gateway-1", signer: "other-ca").client
            #expect(try await world.refusal(as: forged, sightedBy: "gateway-1") == nil)
        }
    }

    @Test("a gateway cannot state a sighting in another gateway's name")
    func anotherName() async throws {
        try await inLinkWorld { world in
            let second = try await world.certificates.gateway("gateway-2").client
            #expect(try await world.refusal(as: second, sightedBy: "gateway-1") == .gatewayNotTrusted)
            #expect(world.service.seen.devices.isEmpty)
            #expect(try await world.refusal(as: second, sightedBy: "gateway-2") == nil)
            let device = world.device(.success(world.sighting(gateway: "gateway-1")))
            try await world.asGateway(second) { remote in
                for attempt in ["authorize", "forget"] {
                    let failure = await #expect(throws: Refusal.self, "\(attempt)") {
                        if attempt == "forget" {
                            try await remote.forget(LinkWorld.forget, from: device)
                        } else {
                            _ = try await remote.authorize(LinkWorld.authorize, from: device)
                        }
                    }
                    #expect(failure?.situation == .gatewayNotTrusted)
                }
            }
            #expect(world.service.seen.devices.count == 1)
        }
    }

    @Test(
        """
        on the paths of browsers too, a sighting in another gateway's name, or of another moment, gives no page, no \
        code and no token
        """
    )
    func browsers() async throws {
        try await inLinkWorld { world in
            let tls = try await world.certificates.gateway("gateway-2").client
            let late = world.sighting(gateway: "gateway-2", time: world.now - .seconds(200))
            for sighting in [world.sighting(gateway: "gateway-1"), late] {
                try await world.asGateway(tls) { remote in
                    let situations = await ScriptedOpenIDService.situations(remote, sighting)
                    #expect(situations.count == 4 && situations.allSatisfy { $0 == .gatewayNotTrusted })
                }
            }
            #expect(world.openID.calls.isEmpty)
            #expect(world.service.seen.origins.isEmpty)
            let own = world.sighting(gateway: "gateway-2")
            try await world.asGateway(tls) { remote in
                #expect(await ScriptedOpenIDService.situations(remote, own).allSatisfy { $0 == nil })
            }
            #expect(world.openID.calls.count == 3)
            #expect(world.service.seen.origins == ["https://shop.example"])
        }
    }

    @Test("a certificate of our authority for a name that is no gateway's, or for two, or for none, is refused")
    func wrongNames() async throws {
        try await inLinkWorld { world in
            for names in ["DNS:gateway-3", "DNS:gateway-1,DNS:gateway-2", "URI:gateway-1", "DNS:GATEWAY-1"] {
                // The common name is gateway-1 throughout: it must count for nothing.
                let tls = try await world.certificates.end("gateway-1", usage: "clientAuth", names: names).client
                #expect(try await world.refusal(as: tls, sightedBy: "gateway-1") == .gatewayNotTrusted, "\(names)")
            }
            #expect(world.service.seen.devices.isEmpty)
        }
    }

    @Test("the authority's own certificate, or any for servers, is no gateway's")
    func serverCertificate() async throws {
        try await inLinkWorld { world in
            let tls = try await world.certificates.end("gateway-1", usage: "serverAuth", names: "DNS:gateway-1").client
            #expect(try await world.refusal(as: tls, sightedBy: "gateway-1") == .overloaded)
            #expect(world.service.seen.devices.isEmpty)
        }
    }

    @Test("a connection does not outlive its certificate")
    func expired() async throws {
        let later = SystemWallClock().now + .seconds(2 * 86400)
        try await inLinkWorld(clock: TestClock(later)) { world in
            let tls = try await world.certificates.gateway("gateway-1").client
            let refusal = try await world.asGateway(tls) { remote in
                await #expect(throws: Refusal.self) {
                    try await remote.prefetch(
                        LinkWorld.prefetch,
                        from: world.device(.success(world.sighting(gateway: "gateway-1", time: later))))
                }
            }
            #expect(refusal?.situation == .gatewayNotTrusted)
            #expect(world.service.seen.devices.isEmpty)
        }
    }

    @Test("a gateway whose clock is wrong is refused: its sightings say nothing about now")
    func clock() async throws {
        try await inLinkWorld { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                for offset in [-200, 200] {
                    let sighting = world.sighting(gateway: "gateway-1", time: world.now + .seconds(offset))
                    let failure = await #expect(throws: Refusal.self) {
                        try await remote.prefetch(LinkWorld.prefetch, from: world.device(.success(sighting)))
                    }
                    #expect(failure?.situation == .gatewayNotTrusted)
                }
                let near = world.sighting(gateway: "gateway-1", time: world.now - .seconds(60))
                _ = try await remote.prefetch(LinkWorld.prefetch, from: world.device(.success(near)))
                await #expect(throws: StoreError.self) {
                    try await remote.observe([world.observation("13800001001", at: world.now + .seconds(200))])
                }
                // Old events may be reported late: the NAS repeats for hours.
                _ = try await remote.observe([world.observation("13800001001", at: world.now - .seconds(86400))])
            }
            #expect(world.service.seen.devices.count == 1)
            #expect(world.register.seen.batches.count == 1)
        }
    }

    @Test("one observation of a carrier that the gateway may not speak for refuses the whole batch")
    func carriers() async throws {
        try await inLinkWorld { world in
            let mixed = [world.observation("13800001001"), world.observation("18600001002", carrier: .unicom)]
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let error = await #expect(throws: StoreError.self) { try await remote.observe(mixed) }
                #expect(error?.code == .unavailable)
                #expect(world.register.seen.batches.isEmpty)
                _ = try await remote.observe([mixed[0]])
            }
            try await world.asGateway(try await world.certificates.gateway("gateway-2").client) { remote in
                _ = try await remote.observe([mixed[1]])
            }
            #expect(world.register.seen.batches.map { $0.map(\.carrier) } == [[.mobile], [.unicom]])
        }
    }
}
