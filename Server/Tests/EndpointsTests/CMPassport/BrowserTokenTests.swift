import BenjiPage
import Foundation
import HTTPTypes
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import ServerHTTP

@Suite("A web page asks in the operator's H5 shape")
struct BrowserTokenTests {
    private static let origin = "https://shop.example"
    private static let phone = "10.0.0.7"

    /// The phone's address is known, others are not.
    private struct Network: SightingSource {
        var subscription: SubscriptionReference
        var time: Timestamp

        func sighting(
            from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
        ) async -> Result<Sighting, SightingRefusal> {
            guard address.description == BrowserTokenTests.phone else { return .failure(.unknownAddress) }
            return .success(
                Sighting(
                    subscription: subscription, carrier: .mobile, binding: BindingID(rawValue: 7),
                    gateway: "gateway-1", time: time, localAddressConfirmed: false, roaming: false))
        }
    }

    /// The app's pages are at two addresses.
    private func world(_ body: (CMPassportWorld) async throws -> Void) async throws {
        try await inWorld { world in
            var registration = OpenIDClients.Registration(
                appID: world.app.record.id, page: try PageDescription(parsing: Array(OpenIDWorld.page.utf8)))
            registration.redirectURIs = [Self.origin + "/callback", "com.example.shop:/callback"]
            registration.authentication = .clientSecretBasic
            _ = try await OpenIDClients(authority: world.authority, store: world.store).register(registration)
            try await body(world)
        }
    }

    private func fields(
        _ world: CMPassportWorld, _ changes: [String: String?] = [:], key: String? = nil
    ) -> [String: String] {
        let id = UUID().uuidString.replacing("-", with: "").lowercased()
        var fields = [
            "appId": world.app.record.id.rawValue, "version": "1.0", "msgId": id, "traceId": id, "businessType": "3",
            "timestamp": CMPassportTime.format(world.clock.now), "expandParams": "",
        ]
        for (name, value) in changes where name != "sign" { fields[name] = value }
        fields["sign"] = CMPassportSigning.browserSign(
            appID: fields["appId"] ?? "", businessType: fields["businessType"] ?? "",
            messageID: fields["msgId"] ?? "", timestamp: fields["timestamp"] ?? "", traceID: fields["traceId"] ?? "",
            version: fields["version"] ?? "", appKey: key ?? world.app.serverSecret.reveal())
        if let sign = changes["sign"] { fields["sign"] = sign }
        return fields
    }

    private func ask(
        _ world: CMPassportWorld, _ fields: [String: String], from address: String = phone, origin: String? = origin,
        method: HTTPRequest.Method = .post
    ) async throws -> Exchange {
        let network = Network(subscription: world.subscription, time: world.clock.now)
        let endpoints = CMPassportBrowserEndpoints(authority: world.authority, sightings: network, clock: world.clock)
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.origin] = origin
        let json = JSON.object(fields.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) })
        return try await Exchange.send(
            PublicServer.router("device", routes: endpoints.routes), method, CMPassportBrowserEndpoints.path,
            headers: headers, body: json.serialized, from: (address, 40001))
    }

    private func code(_ answer: Exchange) -> String? { answer.json["body"]?["resultCode"]?.stringValue }
    private func issued(_ answer: Exchange) -> String? { answer.json["body"]?["token"]?.stringValue }

    @Test("the sign is the MD5 of appId, businessType, msgId, timestamp, traceId, version and key")
    func sign() {
        // md5sum of
        // 3000124063123redbyxsdetddwaaffajcwwapspykftzx20201125101540980mfawsxtcmyplwzpayzzvdvbsowxmkynr1.0key
        #expect(
            CMPassportSigning.browserSign(
                appID: "300012406312", businessType: "3", messageID: "redbyxsdetddwaaffajcwwapspykftzx",
                timestamp: "20201125101540980", traceID: "mfawsxtcmyplwzpayzzvdvbsowxmkynr", version: "1.0",
                appKey: "key") == "69d1cc15706bedc50130093677927ae8")
    }

    @Test("a page over the phone's connection gets a token that says whether a number is this phone's, once")
    func verifies() async throws {
        try await world { world async throws in
            let answer = try await ask(world, fields(world))
            #expect(answer.status == .ok && code(answer) == "103000")
            #expect(answer.json["header"]?["appId"]?.stringValue == world.app.record.id.rawValue)
            #expect(answer.headers[.accessControlAllowOrigin] == Self.origin && answer.headers[.vary] == "Origin")
            #expect(!answer.body.contains(CMPassportWorld.number.national) && !answer.body.contains("138"))
            let token = try #require(issued(answer))
            #expect(try await world.redeem(token, at: .numberVerification) == "000")
            #expect(try await world.redeem(token, at: .numberVerification) == "606")
            let other = try #require(issued(try await ask(world, fields(world))))
            #expect(try await world.redeem(other, at: .numberVerification, number: "13900000009") == "001")
        }
    }

    @Test("its token is redeemed with requesterType 1 and no openType, as WAP callers do")
    func requesterType() async throws {
        try await world { world async throws in
            let token = try #require(issued(try await ask(world, fields(world))))
            let key = world.app.serverSecret.reveal()
            let request = Requests.verification(
                Requests.verificationFields(
                    appID: world.app.record.id.rawValue, messageID: "wap-1", number: CMPassportWorld.number.national,
                    token: token, appKey: key), appKey: key)
            let body = try #require(request["body"])
            guard case .object(let members) = body else { return }
            let wap = JSON.object(
                members.filter { !["openType", "requesterType"].contains($0.name) }
                    + [JSON.Member("requesterType", "1")])
            let code = await world.endpoints.code(.numberVerification, request.setting("body", wap))
            #expect(code == "000")
        }
    }

    @Test("nobody was asked, so it releases no number; an audited legacy grant is the only exception")
    func releasesNoNumber() async throws {
        try await world { world async throws in
            let token = try #require(issued(try await ask(world, fields(world))))
            #expect(try await world.redeem(token, at: .loginTokenValidate) == "105018")
            #expect(try await world.redeem(token, at: .userInformation) == "103104")
            try await world.change { $0.legacyNumberWithoutPage = true }
            #expect(try await world.redeem(token, at: .loginTokenValidate) == "103000")
            let entries = try await world.store.ledgerEntries(app: world.app.record.id, limit: 1)
            #expect(entries.map(\.result) == ["released-without-page"])
        }
    }

    @Test("one signed request buys one token, however often and from wherever it is shown")
    func replay() async throws {
        try await world { world async throws in
            let request = fields(world)
            #expect(code(try await ask(world, request)) == "103000")
            #expect(code(try await ask(world, request)) == "103505")
            #expect(code(try await ask(world, request, from: "10.0.0.9")) == "103111")
        }
    }

    @Test("a signed request that is shown from elsewhere than a phone writes nothing, and still counts from the phone")
    func fromElsewhere() async throws {
        try await world { world async throws in
            let request = fields(world)
            let before = try await world.rows()
            for _ in 0..<50 { #expect(code(try await ask(world, request, from: "198.51.100.9")) == "103111") }
            #expect(try await world.rows() == before)
            #expect(code(try await ask(world, request)) == "103000")
        }
    }

    @Test("a phone that asks more often than it may is refused, and leaves no line in the trace for it")
    func tooOften() async throws {
        try await world { world async throws in
            let authority = world.authority
            func use() async throws -> Bool {
                do {
                    _ = try await authority.service(
                        of: nil, app: world.app.record.id, subscription: world.subscription, assurance: .net)
                    return true
                } catch { return false }
            }
            while try await use() {}
            let before = try await world.rows().traces
            for _ in 0..<3 { #expect(code(try await ask(world, fields(world))) != "103000") }
            #expect(try await world.rows().traces == before)
        }
    }

    @Test("a page of another origin, or of none, gets nothing, and cannot read how the phone is connected")
    func origins() async throws {
        try await world { world async throws in
            for origin in [
                "https://evil.example", "https://shop.example.evil.example", "http://shop.example",
                "https://shop.example:444", "null", nil, "com.example.shop:",
            ] {
                for address in [Self.phone, "198.51.100.9"] {
                    let answer = try await ask(world, fields(world), from: address, origin: origin)
                    #expect(code(answer) == "103102" && issued(answer) == nil, "\(origin ?? "none") from \(address)")
                }
            }
            _ = try await OpenIDClients(authority: world.authority, store: world.store).remove(world.app.record.id)
            #expect(code(try await ask(world, fields(world))) == "103102", "an app without web pages")
        }
    }

    @Test("a request that was signed long ago, or whose sign is of another key or another text, is refused")
    func signs() async throws {
        try await world { world async throws in
            func moment(_ seconds: Int64) -> String { CMPassportTime.format(world.clock.now + .seconds(seconds)) }
            #expect(code(try await ask(world, fields(world, ["timestamp": moment(-301)]))) == "103412")
            #expect(code(try await ask(world, fields(world, ["timestamp": moment(301)]))) == "103412")
            #expect(code(try await ask(world, fields(world, ["timestamp": moment(-299)]))) == "103000")
            #expect(code(try await ask(world, fields(world, key: "another key"))) == "103101")
            var request = fields(world)
            request["msgId"] = String(repeating: "a", count: 32)
            #expect(code(try await ask(world, request)) == "103101")
            request = fields(world)
            request["sign"] = request["sign"]?.uppercased()
            #expect(code(try await ask(world, request)) == "103000", "hexadecimal in either case")
            #expect(code(try await ask(world, fields(world, ["sign": nil]))) == "103401")
            try await world.change { $0.signAlgorithm = .rsa }
            #expect(code(try await ask(world, fields(world))) == "103101", "an app that signs with RSA")
        }
    }

    @Test(
        "no character moves from one signed field to the next: every length is fixed",
        arguments: [
            ("msgId", String(repeating: "1", count: 33)), ("msgId", String(repeating: "1", count: 31)),
            ("msgId", "00000000-0000-0000-0000-000000000"), ("traceId", String(repeating: "1", count: 31)),
            ("traceId", ""), ("businessType", "33"), ("businessType", "4"), ("version", "2.0"),
            ("appId", "30000000000"),
            ("timestamp", "2026"),
        ])
    func grammar(name: String, value: String) async throws {
        try await world { world async throws in
            let answer = try await ask(world, fields(world, [name: value]))
            let expected = name == "appId" ? "103119" : "103414"
            #expect(code(answer) == expected && issued(answer) == nil)
        }
    }

    @Test("a wrong grammar would let characters move: the naive sign has two readings")
    func naiveSignHasTwoReadings() {
        // Message id and trace id of free length: the last digit of one becomes the first of the next, with the same
        // sign.
        let first = ("a", "20261121000000000", "1b")
        let second = ("a2", "02611210000000001", "b")
        let text = { (parts: (String, String, String)) in parts.0 + parts.1 + parts.2 }
        #expect(text(first) == text(second))
        #expect(!CMPassportGrammar.isBrowserMessageID(first.0) && !CMPassportGrammar.isBrowserMessageID(second.0))
    }

    @Test("off the carrier's network, for a suspended app and for one that may not verify, the code says so")
    func refusals() async throws {
        try await world { world async throws in
            #expect(code(try await ask(world, fields(world), from: "198.51.100.9")) == "103111")
            try await world.change { $0.leastAssurance = .netApp }
            #expect(code(try await ask(world, fields(world))) == "105018")
            try await world.change {
                $0.leastAssurance = .net
                $0.capabilities = [.login]
            }
            #expect(code(try await ask(world, fields(world))) == "105019")
            try await world.change { $0.suspended = true }
            #expect(code(try await ask(world, fields(world))) == "105018")
        }
    }

    @Test("a browser may ask before it posts, and other methods are refused")
    func preflight() async throws {
        try await world { world async throws in
            let answer = try await ask(world, [:], method: .options)
            #expect(answer.status == .noContent && answer.headers[.accessControlAllowMethods] == "POST")
            #expect(answer.headers[.accessControlAllowHeaders] == "Content-Type")
            #expect(answer.headers[.accessControlAllowCredentials] == nil)
            #expect(try await ask(world, [:], method: .get).status == .methodNotAllowed)
        }
    }
}
