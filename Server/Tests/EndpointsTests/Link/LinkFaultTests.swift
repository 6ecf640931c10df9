import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
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

@Suite("When the authority does not answer as it should", .serialized)
struct LinkFaultTests {
    /// Returns the outcomes of the four kinds of request.
    private func outcomes(of remote: RemoteAuthority) async -> (device: Set<Situation>, store: Set<StoreError.Code>) {
        let device = LinkPhone(sighting: .failure(.unknownAddress))
        let observation = SubscriberObservation(
            number: PhoneNumber("13800001001")!, imsi: nil, carrier: .mobile, eventTime: SystemWallClock().now)
        var situations: Set<Situation> = []
        var codes: Set<StoreError.Code> = []
        do {
            _ = try await remote.prefetch(LinkWorld.prefetch, from: device)
            situations.insert(.success)
        } catch {
            situations.insert(error.situation)
        }
        do {
            try await remote.forget(LinkWorld.forget, from: device)
            situations.insert(.success)
        } catch {
            situations.insert(error.situation)
        }
        do {
            _ = try await remote.observe([observation])
            codes.insert(.notFound)
        } catch { codes.insert(error.code) }
        do {
            try await remote.revoke([BindingID(rawValue: 1)])
            codes.insert(.notFound)
        } catch { codes.insert(error.code) }
        return (situations, codes)
    }

    /// Asks a listener whose every address answers with `answer`.
    func ask(
        _ answer: @escaping @Sendable () async throws -> Response, timeout: Duration = Patience.deadline,
        _ check: (RemoteAuthority) async throws -> Void
    ) async throws {
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        let log = LogBook()
        let routes = LinkPath.allCases.map { path in
            EndpointRoute(path == .erased ? .get : .post, path.rawValue) { request, _ in
                _ = try await request.body.collect(upTo: 1 << 20)
                return try await answer()
            }
        }
        try await withListener(routes, tls: try await certificates.authority().server, logger: log.logger) { port in
            try await withRemote(
                "https://127.0.0.1:\(port)", try await certificates.gateway("gateway-1").client, timeout: timeout,
                logger: log.logger, check)
        }
    }

    @Test("nobody listens: phones are refused and accounting is not answered")
    func nobody() async throws {
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        try await withRefusingPort { port in
            try await withRemote(
                "https://127.0.0.1:\(port)", try await certificates.gateway("gateway-1").client,
                logger: LogBook().logger
            ) { remote in
                let outcomes = await outcomes(of: remote)
                #expect(outcomes.device == [.overloaded])
                #expect(outcomes.store == [.unavailable])
                #expect(await remote.problem() == "link unreachable")
            }
        }
    }

    @Test("an authority that takes too long is given up within the time allowed")
    func slow() async throws {
        // It answers when the test is over, so that nothing but the time allowed ends the calls.
        let (isOver, end) = AsyncStream<Void>.makeStream()
        defer { end.finish() }
        // swift-format-ignore: OnlyOneTrailingClosureArgument
        try await ask(
            {
                for await _ in isOver {}
                return Response(LinkAnswer.answer(.object([])).json)
            }, timeout: .milliseconds(300)
        ) { remote in
            defer { end.finish() }
            let outcomes = await outcomes(of: remote)
            #expect(outcomes.device == [.overloaded])
            #expect(outcomes.store == [.unavailable])
            #expect(await remote.problem() == "link timed_out")
        }
    }

    @Test(
        "an answer that this version cannot read is no answer",
        arguments: [
            "", "{}", "null", "[]", #"{"code":"success"}"#, #"{"answer":{"later":1}}"#, #"{"answer":{},"more":1}"#,
            "<html>",
        ])
    func unreadable(text: String) async throws {
        // swift-format-ignore: OnlyOneTrailingClosureArgument
        try await ask({ Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text))) }) { remote in
            let outcomes = await outcomes(of: remote)
            #expect(outcomes.device == [.internalError])
            #expect(outcomes.store == [.unavailable])
        }
    }

    @Test("an answer larger than any honest one is not read")
    func oversized() async throws {
        let text = #"{"answer":{"text":""# + String(repeating: "a", count: LinkRules.maximumAnswer) + #""}}"#
        // swift-format-ignore: OnlyOneTrailingClosureArgument
        try await ask({ Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text))) }) { remote in
            await #expect(throws: Refusal.self) { try await remote.policyDocument() }
        }
    }

    @Test("a bare refusal is about the gateway: what a phone must not read as its own becomes something else")
    func bareRefusals() async throws {
        for (situation, expected) in [
            (Situation.notFound, Situation.internalError), (.malformedRequest, .internalError),
            (.gatewayNotTrusted, .gatewayNotTrusted), (.overloaded, .overloaded), (.storeUnavailable, .overloaded),
        ] {
            // swift-format-ignore: OnlyOneTrailingClosureArgument
            try await ask({ throw Refusal(situation, "about the gateway") }) { remote in
                let outcomes = await outcomes(of: remote)
                #expect(outcomes.device == [expected], "\(situation)")
                #expect(outcomes.store == [.unavailable])
            }
        }
    }

    @Test("an authority cannot send a gateway elsewhere")
    func redirect() async throws {
        let visits = Mutex(0)
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        let log = LogBook()
        let elsewhere = LinkPath.allCases.map { path in
            EndpointRoute(path == .erased ? .get : .post, path.rawValue) { _, _ in
                visits.withLock { $0 += 1 }
                return Response(LinkAnswer.answer(.object([])).json)
            }
        }
        try await withListener(elsewhere, tls: try await certificates.authority().server, logger: log.logger) {
            target in
            let away = LinkPath.allCases.map { path in
                EndpointRoute(path == .erased ? .get : .post, path.rawValue) { _, _ in
                    Response(
                        status: .temporaryRedirect, headers: [.location: "https://127.0.0.1:\(target)\(path.rawValue)"])
                }
            }
            try await withListener(away, tls: try await certificates.authority().server, logger: log.logger) { port in
                try await withRemote(
                    "https://127.0.0.1:\(port)", try await certificates.gateway("gateway-1").client, logger: log.logger
                ) { remote in
                    let outcomes = await outcomes(of: remote)
                    #expect(outcomes.device == [.internalError])
                    #expect(outcomes.store == [.unavailable])
                }
            }
        }
        #expect(visits.withLock { $0 } == 0)
    }

    @Test("an authority with a certificate of another authority, for another host, or for gateways, is not spoken to")
    func falseAuthority() async throws {
        let falseOnes: [@Sendable (LinkCertificates) async throws -> LinkTLS] = [
            { try await $0.authority(signer: "other-ca") }, { try await $0.authority(names: "DNS:authority.internal") },
            { try await $0.authority(names: "IP:127.0.0.2") }, { try await $0.authority(usage: "clientAuth") },
        ]
        for (index, make) in falseOnes.enumerated() {
            // swift-format-ignore: OnlyOneTrailingClosureArgument
            try await inLinkWorld(server: { try await make($0).server }) { world in
                let tls = try await world.certificates.gateway("gateway-1").client
                #expect(try await world.refusal(as: tls, sightedBy: "gateway-1") == .overloaded, "\(index)")
                #expect(world.service.seen.devices.isEmpty)
            }
        }
    }

    @Test("what is wrong with the link is said once when it begins and once when it ends")
    func logged() async throws {
        let fails = Mutex(true)
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        let log = LogBook()
        let route = EndpointRoute(.get, LinkPath.erased.rawValue) { _, _ in
            if fails.withLock({ $0 }) { throw Refusal(.overloaded, "") }
            return Response(LinkAnswer.answer(ErasedSubscriptions([]).json).json)
        }
        try await withListener([route], tls: try await certificates.authority().server, logger: LogBook().logger) {
            port in
            try await withRemote(
                "https://127.0.0.1:\(port)", try await certificates.gateway("gateway-1").client, logger: log.logger
            ) { remote in
                for _ in 0..<5 { _ = try? await remote.erasedSubscriptions() }
                fails.withLock { $0 = false }
                for _ in 0..<5 { _ = try? await remote.erasedSubscriptions() }
            }
        }
        #expect(log.lines.filter { $0.contains("cannot be asked") }.count == 1)
        #expect(log.lines.filter { $0.contains("answers again") }.count == 1)
    }

    @Test("an address that is not https and bare, or files that do not fit, are refused before anything runs")
    func configuration() async throws {
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        let tls = try await RenewableTLS(keeping: certificates.gateway("gateway-1").client)
        for url in [
            "http://a.example", "https://", "a.example:1", "https://a.example/link", "https://a.example?x",
            "https://u@a.example",
        ] {
            #expect(throws: LinkConfigurationError.self, "\(url)") {
                _ = try RemoteAuthority(urls: [url], tls: tls, logger: LogBook().logger)
            }
        }
        try await certificates.issue("own", for: "gateway-1", usage: "clientAuth", names: "DNS:gateway-1")
        let (own, key, other) = (
            certificates.path("own.pem"), certificates.path("own.key"), certificates.path("other-ca.key")
        )
        let authority = certificates.path("link-ca.pem")
        #expect(throws: Never.self) { try LinkTLS(certificatePath: own, keyPath: key, authorityPath: authority) }
        for (certificate, key, authority, named) in [
            (own, other, authority, other), (key, key, authority, key), (own, own, authority, own),
            (own, key, key, key),
            ("/nowhere", key, authority, "/nowhere"), (own, "/nowhere", authority, "/nowhere"),
        ] {
            let error = #expect(throws: LinkConfigurationError.self) {
                try LinkTLS(certificatePath: certificate, keyPath: key, authorityPath: authority)
            }
            #expect(error?.description.contains(named) == true)
        }
    }
}
