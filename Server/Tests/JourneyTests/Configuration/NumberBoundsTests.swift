import Authority
import BenjiProtocol
import Foundation
import Requests
import Testing

@testable import BenjiCommand
@testable import Gateway
@testable import ServerHTTP
@testable import ServerRuntime
@testable import StorePostgres

@Suite("Bounds of settings")
struct NumberBoundsTests {
    private static let names = ConfigurationKeys.server.all.filter { $0.bounds != nil }.map(\.name)

    private static let nas = [
        "nas.names": "pgw", "nas.pgw.sources": "127.0.0.1/32", "nas.pgw.secret": "sixteen-or-more-bytes",
        "nas.pgw.pools": "127.8.0.0/16", "nas.pgw.carrier": "mobile",
    ]
    private static let face = ["face.enabled": "true", "face.terms-url": "https://id.example/terms"]
    private static let gateway = [
        "role": "gateway", "authority.url": "https://a:1", "mutual-tls.certificate": "a.pem",
        "mutual-tls.key": "a.key", "mutual-tls.authority": "ca.pem",
    ]
    private static let upstream = ["sms-upstream.number": "10690123", "sms.smsc.upstream-carriers": "mobile"]

    /// A sender of short messages.
    private static func sender(_ password: String) -> [String: String] {
        [
            "sms.names": "smsc", "sms.smsc.kind": "smpp", "sms.smsc.address": "127.0.0.1:2775",
            "sms.smsc.system-id": "benji", "sms.smsc.password-file": password, "sms.smsc.tls": "false",
        ]
    }

    /// The settings without which no code reads a key of this name.
    private static func others(_ name: String, password: String) -> [String: String] {
        switch name.split(separator: ".").first {
        case "nas": nas
        case "sms": sender(password)
        case "sms-upstream": sender(password).merging(upstream) { $1 }
        case "face": face
        case "authority": gateway
        default: [:]
        }
    }

    /// A key of this name, as the settings above name its NAS and its sender.
    private static func key(_ name: String) -> String {
        name.replacing("nas.*.", with: "nas.pgw.").replacing("sms.*.", with: "sms.smsc.")
    }

    private func withPassword<Result>(_ body: (String) throws -> Result) throws -> Result {
        let path = NSTemporaryDirectory() + "bounds-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data("secret08".utf8), attributes: [.posixPermissions: 0o600]))
        return try body(path)
    }

    private func load(_ flags: [String: String]) throws -> ServerConfiguration {
        try ServerConfiguration(try Settings(file: nil, flags: flags, environment: [:], keys: .server))
    }

    /// The faults of settings, or "good".
    private func problem(_ flags: [String: String]) throws -> String {
        do { _ = try load(flags) } catch let error as ConfigurationError { return error.description }
        return "good"
    }

    @Test(
        "A number is taken at both ends of its setting's range, and refused outside of it and in other spellings",
        arguments: names)
    func ends(name: String) throws {
        let bounds = try #require(ConfigurationKeys.server.declaration(of: name)?.bounds)
        let (lower, upper) = (bounds.range.lowerBound, bounds.range.upperBound)
        let key = Self.key(name)
        // A list of ports may be empty, and has blanks around its commas.
        let isList = name == "callbacks.ports"
        try withPassword { password in
            let others = Self.others(name, password: password)
            for (value, isGood) in [
                ("\(lower)", true), ("\(upper)", true), ("\(lower - 1)", false), ("\(upper + 1)", false),
                ("\(Int.max)", false), ("\(Int.min)", false), ("18446744073709551616", false), ("-1", false),
                ("", isList), ("1e9", false), (" \(upper)", isList), ("+\(upper)", false), ("\(upper).0", false),
                ("７", false),
            ] {
                let said = try problem(others.merging([key: value]) { $1 })
                if isGood {
                    #expect(said == "good", "\(key)=\(value)")
                } else {
                    #expect(said.contains("\(key): "), "\(key)=\(value): \(said)")
                    #expect(said.contains("must be \(bounds)"), "\(key)=\(value): \(said)")
                }
            }
        }
    }

    @Test("A setting that is a number declares its bounds, and the example shows them")
    func declared() {
        let texts = [
            "console.openid.client-id", "face.terms-version", "nas.*.excluded-numbers", "nas.*.home-networks",
            "nas.*.numbers", "sms-codes.destinations", "sms-upstream.number", "sms.*.source",
        ]
        let unbounded = ConfigurationKeys.server.all.filter { $0.bounds == nil && Int($0.example) != nil }
        #expect(unbounded.map(\.name).sorted() == texts)
        for key in ConfigurationKeys.server.all {
            guard let bounds = key.bounds else { continue }
            for value in key.example.split(separator: ",") {
                #expect(bounds.number(value.trimmingCharacters(in: .whitespaces)) != nil, "\(key.name)")
            }
            let range = "\(bounds.range.lowerBound) to \(bounds.range.upperBound) (\(key.example))"
            #expect(ConfigurationKeys.serveExample.contains(range), "\(key.name)")
        }
        let kinds = Set(Retention.kinds.map { "retention.\($0.name)" })
        #expect(kinds.isSubset(of: Self.names))
    }

    @Test("A rate whose product overflows is refused by name, and the usual one is taken")
    func overflow() throws {
        let rate = "4611686018427387904"
        let naive = Int(rate).flatMap { $0 >= 1 ? $0 : nil }
        #expect(naive?.multipliedReportingOverflow(by: 1000).overflow == true)
        let said = try problem(Self.nas.merging(["nas.pgw.rate": rate]) { $1 })
        #expect(said.contains("nas.pgw.rate: must be packets a second, 1 to 10000000"), "\(said)")
        #expect(try load(Self.nas).networkElements.map(\.rateLimit) == [50_000])
    }

    @Test(
        "Products and sums of settings fit where all of them are the least, and where all are the greatest",
        arguments: [false, true])
    func together(isGreatest: Bool) throws {
        let configuration = try withPassword { password throws -> ServerConfiguration in
            var flags = ["store.postgres": "host=localhost"]
            for more in [Self.nas, Self.face, Self.sender(password), Self.upstream] { flags.merge(more) { $1 } }
            for key in ConfigurationKeys.server.all where key.roles.contains(.all) {
                guard let range = key.bounds?.range else { continue }
                flags[Self.key(key.name)] = String(isGreatest ? range.upperBound : range.lowerBound)
            }
            return try load(flags)
        }
        let gateway = configuration.gateway.service(journalPath: configuration.journalPath)
        #expect(gateway.problems.isEmpty)
        let nas = try #require(configuration.networkElements.first)
        var allowance = PacketAllowance(perSecond: nas.rateLimit)
        let takes = [allowance.take(at: 0), allowance.take(at: .max)]
        #expect(takes == [true, true])
        // Seconds of 32 bits hold them, and an interval's multiple.
        for time in [nas.interimInterval * gateway.leaseIntervals, nas.silence, nas.repeats] {
            #expect(Int64(time.wholeSeconds) == time.components.seconds)
        }
        let now = Timestamp(milliseconds: 1_795_000_000_000)
        #expect(now - (now - configuration.quarantine) == configuration.quarantine)
        #expect(configuration.retention.ledgerBegin(now) > 19_000_000)
        let deadlines = try #require(configuration.postgres).deadlines
        #expect(deadlines.slowAnswer > deadlines.answer && deadlines.gathering < deadlines.queue)
        let connections = DescriptorLimit.connections(
            wanted: configuration.limits.connections, listeners: configuration.listeners.count, descriptors: 1024)
        #expect((1...1024).contains(connections))
        let calls = RateLimiter(
            limit: configuration.smsCodes.perAppAndDay, window: .seconds(86400),
            capacity: configuration.rememberedCallers)
        #expect(calls.admits("app", now: now))
    }

    @Test("Tries and messages a day that together guess a code are refused with the names of both")
    func guesses() throws {
        let good = ["sms-codes.digits": "4", "sms-codes.tries": "10", "sms-codes.per-day": "10"]
        let bad = good.merging(["sms-codes.per-day": "11"]) { $1 }
        try withPassword { password in
            let sender = Self.sender(password)
            #expect(try problem(good.merging(sender) { $1 }) == "good")
            let said = try problem(bad.merging(sender) { $1 })
            #expect(said.contains("sms-codes.tries") && said.contains("sms-codes.per-day"), "\(said)")
            #expect(said.contains("sms-codes.digits"), "\(said)")
        }
        #expect(try problem(bad) == "good", "without a sender no code is sent")
    }
}
