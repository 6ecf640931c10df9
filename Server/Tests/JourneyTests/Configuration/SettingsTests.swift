import Authority
import BenjiProtocol
import Foundation
import OpenIDProvider
import PKCS11
import Store
import StorePostgres
import Testing

@testable import BenjiCommand
@testable import FaceMatching
@testable import Gateway
@testable import ServerRuntime

@Suite("Settings")
struct SettingsTests {
    private static let good = """
        data: ./somewhere
        nas:
          names: [pgw]
          pgw: {sources: [127.0.0.1/32], secret: sixteen-or-more-bytes, pools: [127.8.0.0/16], carrier: mobile}
        """

    /// Returns the configuration of a file, flags and variables, or its error.
    private func load(
        _ text: String? = good, flags: [String: String] = [:], environment: [String: String] = [:], mode: Int = 0o600
    ) async throws -> Result<ServerConfiguration, ConfigurationError> {
        let path = NSTemporaryDirectory() + "settings-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        if let text {
            try #require(
                FileManager.default.createFile(
                    atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
        }
        do {
            return .success(
                try ServerConfiguration(
                    try Settings(file: text == nil ? nil : path, flags: flags, environment: environment, keys: .server))
            )
        } catch let error as ConfigurationError { return .failure(error) }
    }

    /// The settings of `benji-gateway`, read from a file of this text.
    private func loadGateway(_ text: String) throws -> (ProcessConfiguration, GatewaySettings) {
        let path = NSTemporaryDirectory() + "settings-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let settings = try Settings(file: path, flags: [:], environment: [:], keys: .gatewayProgram)
        var process = try ProcessConfiguration(settings, role: .gateway, isOnly: true)
        let gateway = try GatewaySettings(settings, process)
        try process.readLink(settings)
        try settings.refuseUnused()
        return (process, gateway)
    }

    @Test("benji-gateway has the keys of the role gateway, reads its own example, and refuses keys of other roles")
    func gatewayProgram() throws {
        let keys = ConfigurationKeys.server.all.filter { $0.roles.contains(.gateway) }
        #expect(Set(ConfigurationKeys.gatewayProgram.all.map(\.name)) == Set(keys.map(\.name)))
        for key in ConfigurationKeys.gatewayProgram.all {
            #expect(ConfigurationKeys.gatewayExample.contains("#   \(key.name) "), "\(key.name)")
        }
        let (process, gateway) = try loadGateway(ConfigurationKeys.gatewayExample)
        #expect(process.role == .gateway && process.mutualTLS != nil)
        #expect(gateway.networkElements.map(\.name) == ["pgw"])
        #expect(gateway.authorityURLs == ["https://authority.internal:8083"])
        for (key, hint) in [("listen.server", "there are listen"), ("openid.issuer", "benji-gateway --example")] {
            let error = #expect(throws: ConfigurationError.self) { try loadGateway("\(key): x") }
            let problem = error?.problem ?? ""
            #expect(
                error?.key == key && problem.contains(hint)
                    && problem.hasSuffix("; keys of other roles are for benji serve"), "\(problem)")
        }
    }

    private func problem(
        _ text: String? = good, flags: [String: String] = [:], environment: [String: String] = [:]
    ) async throws -> String {
        switch try await load(text, flags: flags, environment: environment) {
        case .success: "good"
        case .failure(let error): error.description
        }
    }

    @Test("A setting that nothing reads is an error with a remedy, from the command line, a file or the environment")
    func unused() async throws {
        #expect(try await problem() == "good")
        let flag = try await problem(nil, flags: ["nas.pgw.secret": "short"])
        #expect(flag.contains("nas.pgw.secret") && flag.contains("the command line") && flag.contains("nas.names"))
        #expect(!flag.contains("short"))
        let file = try await problem(Self.good.replacingOccurrences(of: "[pgw]", with: "[other]"))
        #expect(file.contains("nas.other.sources"), "what is named and not described comes first")
        let unnamed = try await problem(Self.good + "\n  spare: {carrier: unicom}\n")
        #expect(unnamed.contains("nas.spare.carrier") && unnamed.contains(".yaml") && unnamed.contains("nas.names"))
        let variable = try await problem(nil, environment: ["BENJI_NAS_PGW_SECRET": "short"])
        #expect(variable.contains("BENJI_NAS_PGW_SECRET") && variable.contains("nas.names"))
        #expect(try await problem(environment: ["BENJI_NAS_PGW_SECRET": "another-secret-of-it"]) == "good")
        #expect(try await problem(flags: ["authority.url": "https://a"]).contains("role gateway"))
        #expect(try await problem(flags: ["mutual-tls.key": "key.pem"]).contains("roles gateway and authority"))
        #expect(try await problem(flags: ["openid.pages": "https://a"]).contains("openid.issuer"))
        #expect(try await problem(flags: ["face.engines": "2"]).contains("face.enabled"))
    }

    @Test("How a network element writes numbers, times and silence is what was set; else it is the careful choice")
    func networkElement() async throws {
        func element(_ settings: [String: String] = [:]) async throws -> NetworkAccessServer {
            let flags = Dictionary(uniqueKeysWithValues: settings.map { ("nas.pgw.\($0.key)", $0.value) })
            return try #require(try await load(flags: flags).get().networkElements.first)
        }
        let usual = try await element()
        #expect(usual.eventTimestamp == .required && usual.silence == .seconds(450))
        #expect(usual.country == NetworkAccessServer.country("CN") && usual.numberForm == .international)
        let other = try await element([
            "event-timestamp": "optional", "interim": "60", "country": "SG", "number-form": "national", "rate": "7",
        ])
        #expect(other.eventTimestamp == .optional && other.silence == .seconds(90) && other.rateLimit == 7)
        #expect(other.country == NetworkAccessServer.country("SG") && other.numberForm == .national)
        #expect(try await element(["silence": "77"]).silence == .seconds(77))
        #expect(usual.repeats == .zero)
        #expect(try await element(["repeats": "40"]).repeats == .seconds(40))
        let wrong = [
            "event-timestamp": "maybe", "silence": "0", "country": "cn", "number-form": "short", "rate": "0",
            "interim": "-1", "repeats": "-1",
        ]
        for (key, value) in wrong {
            #expect(try await problem(flags: ["nas.pgw.\(key)": value]).contains("nas.pgw.\(key)"), "\(key)")
        }
        #expect(try await problem(flags: ["nas.pgw.country": "ZZ"]).contains("nas.pgw.country"), "no such country")
    }

    @Test(
        """
        Doctor warns of a network element whose packets may come without a time, and whose secret is short or \
        everybody's
        """
    )
    func careless() async throws {
        func lines(_ settings: [String: String]) async throws -> [String] {
            let flags = Dictionary(uniqueKeysWithValues: settings.map { ("nas.pgw.\($0.key)", $0.value) })
            let configuration = try await load(flags: flags).get()
            return DoctorCommand.examine(configuration).filter { $0.subject == "nas pgw" }.map {
                "\($0.verdict) \($0.text)"
            }
        }
        #expect(try await lines([:]) == ["good 1 sources, 1 pools"])
        let times = try await lines(["event-timestamp": "optional"])
        #expect(times.count == 1 && times[0].hasPrefix("warning") && times[0].contains("attribute 55"))
        #expect(try await lines(["secret": "short"]).map { $0.hasPrefix("warning its secret has fewer") } == [true])
        let example = ConfigurationKeys.exampleSecret
        #expect(
            try await lines(["secret": example]).map { $0.hasPrefix("warning its secret is the example's") } == [true])
        #expect(
            try await lines(["secret": example, "sources": "192.0.2.1"]).map { $0.hasPrefix("wrong its secret") } == [
                true
            ])
    }

    @Test("What belongs to a part that is switched off by hand may stay")
    func switchedOff() async throws {
        #expect(try await problem(flags: ["face.engines": "2", "face.enabled": "false"]) == "good")
    }

    @Test("A misspelt setting is answered with the one that was meant, also under a name of the operator's own")
    func misspelt() async throws {
        #expect(try await problem(flags: ["nas.pgw.sekret": "x"]).contains("did you mean nas.pgw.secret?"))
        #expect(try await problem(flags: ["listen.devise": "x"]).contains("did you mean listen.device?"))
        let variable = try await problem(environment: ["BENJI_LISTEN_DEVISE": "x"])
        #expect(variable.contains("did you mean BENJI_LISTEN_DEVICE?"))
        #expect(try await problem(environment: ["BENJI_MASTER_KEY": "x", "BENJI_SANDBOX": "http://x"]) == "good")
    }

    @Test("A file that cannot be read says why")
    func unreadable() {
        for (path, reason) in [("/nowhere/benji.yaml", "no such file"), (NSTemporaryDirectory(), "it is a folder")] {
            let error = #expect(throws: ConfigurationError.self) {
                try Settings(file: path, flags: [:], environment: [:], keys: .server)
            }
            #expect(error?.description.contains(reason) == true, "\(path): \(String(describing: error))")
        }
    }

    @Test("Where the data directory was named is known", arguments: [0, 1, 2, 3])
    func origin(_ place: Int) async throws {
        let configuration = try await load(
            place == 0 ? nil : Self.good, flags: place == 3 ? ["data": "c"] : [:],
            environment: place >= 2 ? ["BENJI_DATA": "b"] : [:]
        ).get()
        let beside = URL(fileURLWithPath: NSTemporaryDirectory() + "somewhere").standardizedFileURL.path
        #expect(configuration.dataDirectory == ["./benji-data", beside, "b", "c"][place])
        #expect(
            place == 1
                ? configuration.dataOrigin.hasSuffix(".yaml")
                : configuration.dataOrigin == ["the default", "", "the environment", "the command line"][place])
    }

    @Test("A file with secrets that everybody on the machine may read or write is warned about; others are not")
    func exposed() async throws {
        for (mode, verb) in [(0o644, "read"), (0o604, "read"), (0o602, "write")] {
            let warnings = try await load(mode: mode).get().warnings
            #expect(
                warnings.count == 1 && warnings[0].contains("may \(verb) it") && warnings[0].contains("chmod o-rwx"))
            #expect(warnings.allSatisfy { $0.contains("nas.pgw.secret") && !$0.contains("sixteen") })
        }
        #expect(try await load(mode: 0o640).get().warnings.isEmpty)
        #expect(try await load("data: ./x", mode: 0o644).get().warnings.isEmpty)
    }

    @Test("The listener for operators, which asks nobody who they are, stays inside unless somebody says otherwise")
    func admin() async throws {
        for inside in ["127.0.0.1:1", "[::1]:1", "10.1.2.3:1", "172.31.0.1:1", "192.168.0.1:1", "[fd00::1]:1"] {
            #expect(try await problem(flags: ["listen.admin": inside]) == "good", "\(inside)")
        }
        for outside in ["0.0.0.0:1", "[::]:1", "203.0.113.7:1", "[2001:db8::1]:1", "172.32.0.1:1"] {
            let said = try await problem(flags: ["listen.admin": outside])
            #expect(said.contains("listen.admin") && said.contains("admin.public"), "\(outside)")
            #expect(try await problem(flags: ["listen.admin": outside, "admin.public": "true"]) == "good")
        }
        let hosts = try await load(flags: ["admin.hosts": "Benji.internal, metrics"]).get().adminHosts
        #expect(hosts == ["benji.internal", "metrics"])
        #expect(try await problem(flags: ["admin.hosts": "a b"]).contains("admin.hosts"))
    }

    @Test("A path in a file means the same from whatever folder it is read; one of a flag or a variable is the shell's")
    func paths() async throws {
        let folder = NSTemporaryDirectory() + "settings-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/etc", withIntermediateDirectories: true)
        let file = folder + "/etc/benji.yaml"
        func load(
            _ text: String, flags: [String: String] = [:], environment: [String: String] = [:]
        ) async throws -> ServerConfiguration {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            return try ServerConfiguration(
                try Settings(file: file, flags: flags, environment: environment, keys: .server))
        }
        let relative = try await load(
            """
            data: ../data
            tls: {certificate: cert.pem, key: /keys/key.pem}
            face: {enabled: true, terms-url: "https://id.example/terms", models: ./models}
            """)
        let place = URL(fileURLWithPath: folder).standardizedFileURL.path
        #expect(relative.dataDirectory == "\(place)/data")
        #expect(relative.tls?.certificate == "\(place)/etc/cert.pem" && relative.tls?.key == "/keys/key.pem")
        #expect(relative.face?.models.path == "\(place)/etc/models")
        let link = try await load(
            """
            role: gateway
            authority: {url: "https://127.0.0.1:8083"}
            mutual-tls: {certificate: link/gw.pem, key: link/gw.key, authority: ca.pem}
            """)
        #expect(link.mutualTLS?.identity.certificate == "\(place)/etc/link/gw.pem")
        #expect(link.mutualTLS?.identity.key == "\(place)/etc/link/gw.key")
        #expect(link.mutualTLS?.certificateAuthority == "\(place)/etc/ca.pem")
        #expect(link.dataDirectory == "\(place)/etc/benji-data", "the default of a file is beside it")
        for key in ["policy", "face.policy"] {
            let text =
                key.hasPrefix("face")
                ? "face: {enabled: true, terms-url: \"https://x\", policy: p.json}" : "policy: p.json"
            let error = await #expect(throws: ConfigurationError.self) { try await load(text) }
            #expect(error?.description.contains("\(place)/etc/p.json") == true, "\(key)")
        }
        let flag = try await load(
            "data: ../data", flags: ["data": "x", "tls.certificate": "c.pem", "tls.key": "k.pem"])
        #expect(flag.dataDirectory == "x" && flag.tls?.certificate == "c.pem")
        #expect(try await load("data: ../data", environment: ["BENJI_DATA": "y"]).dataDirectory == "y")
    }

    @Test("A path that is empty is told so, wherever it was set")
    func empty() async throws {
        #expect(try await problem("data:").contains("data: is empty"))
        #expect(try await problem(nil, flags: ["data": ""]).contains("data: is empty (from the command line)"))
        #expect(try await problem(nil, environment: ["BENJI_POLICY": ""]).contains("policy: is empty"))
        #expect(try await problem("tls: {certificate: '', key: k}").contains("tls.certificate: is empty"))
    }

    @Test(
        "How long records are kept can be set, and not so short that other promises break",
        arguments: [
            ("traces", "0"), ("traces", "401"), ("login-counts", "6"), ("device-keys", "29"), ("consents", "89"),
            ("ledger", "61"),
            ("ledger", "ten years"), ("delivered-events", "0"), ("dead-events", "91"),
        ])
    func retention(name: String, value: String) async throws {
        let said = try await problem("retention: {\(name): \(value)}")
        #expect(said.contains("retention.\(name): must be days, "), "\(said)")
        let set = try await load(
            "retention: {traces: 30, login-counts: 90, device-keys: 60, consents: 400, ledger: 400}"
        ).get().retention
        let days: [Int] = Retention.kinds.map { set[keyPath: $0.days] }
        let wanted = [30, 90, 60, 400, 400, 3, 30]
        #expect(days == wanted)
        #expect(try await load().get().retention == Retention())
        let inverted = try await problem("retention: {traces: 400, consents: 100}")
        #expect(inverted.contains("retention.consents: is shorter than retention.traces"), "\(inverted)")
    }

    @Test(
        "What SMS codes are like and how many are sent can be set, within bounds",
        arguments: [
            ("digits", "3"), ("digits", "11"), ("lifetime", "59"), ("lifetime", "1801"), ("tries", "0"),
            ("tries", "11"),
            ("per-minute", "0"), ("per-day", "1001"), ("per-app-and-day", "-1"), ("per-prefix-and-hour", "many"),
            ("per-source-and-hour", "0"), ("destinations", "+86"), ("destinations", "[86, abroad]"),
        ])
    func smsCodes(name: String, value: String) async throws {
        let said = try await problem("sms-codes: {\(name): '\(value)'}")
        #expect(said.contains("sms-codes.\(name)"), "\(said)")
        let set = try await load(
            """
            sms-codes: {digits: 8, lifetime: 120, tries: 3, per-minute: 2, per-day: 4, per-app-and-day: 50,
              per-prefix-and-hour: 6, per-source-and-hour: 7, destinations: [86, 852]}
            """
        ).get().smsCodes
        var wanted = SMSCodes.Settings()
        (wanted.digits, wanted.lifetime, wanted.tries, wanted.perMinute, wanted.perDay) = (8, .seconds(120), 3, 2, 4)
        (wanted.perAppAndDay, wanted.perPrefixAndHour, wanted.perSourceAndHour) = (50, 6, 7)
        wanted.destinations = ["86", "852"]
        #expect(set == wanted)
        #expect(try await load().get().smsCodes == SMSCodes.Settings())
    }

    @Test("A wrapping key that cannot be found again is refused where it was set, and no PIN is repeated")
    func wrappingKey() async throws {
        let uri = "pkcs11:token=benji;object=master?module-path=/m.so"
        let set = try await load("master-key: {wrapping-key: '\(uri)'}").get()
        #expect(set.wrappingKey?.token == "benji" && set.formerWrappingKey == nil)
        #expect(try await load().get().wrappingKeys.current == nil)
        let slot = try await problem("master-key: {former-wrapping-key: 'pkcs11:slot-id=0;object=o?module-path=/m.so'}")
        #expect(slot.contains("master-key.former-wrapping-key: names a slot"), "\(slot)")
        let pin = try await problem(environment: ["BENJI_MASTER_KEY_WRAPPING_KEY": uri + "&pin-value=804213"])
        #expect(pin.contains("master-key.wrapping-key: holds the PIN") && !pin.contains("804213"), "\(pin)")
        let twice = try await problem(
            "master-key: {wrapping-key: '\(uri)', former-wrapping-key: '\(uri)&pin-source=/pin'}")
        #expect(twice.contains("names the same key"), "\(twice)")
    }

    private static let link = [
        "mutual-tls.certificate": "a.pem", "mutual-tls.key": "a.key", "mutual-tls.authority": "ca.pem",
    ]

    @Test("Roots of App Attest are read from their file, and one that holds none is refused by the setting's name")
    func appleRoots() async throws {
        let file = NSTemporaryDirectory() + "roots-\(UUID().uuidString).pem"
        defer { try? FileManager.default.removeItem(atPath: file) }
        for text in [nil, "", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"] {
            try text.map { try $0.write(toFile: file, atomically: true, encoding: .utf8) }
            let said = try await problem(nil, flags: ["attestation.apple-roots": file])
            #expect(said.contains("attestation.apple-roots"), "\(text ?? "no file"): \(said)")
        }
    }

    @Test(
        "A setting that another role has is refused, with the role that has it",
        arguments: [
            ("authority", "listen.device", "127.0.0.1:1"), ("authority", "listen.accounting", "127.0.0.1:1"),
            ("authority", "gateway.sessions", "3"), ("authority", "gateway.name", "x"),
            ("authority", "public.urls", "https://a"), ("authority", "nas.names", ""),
            ("authority", "authority.url", "https://a"), ("authority", "authority.timeout", "2"),
            ("gateway", "store.queue-timeout", "9"), ("gateway", "store.answer-timeout", "9"),
            ("gateway", "listen.server", "127.0.0.1:1"),
            ("gateway", "quarantine.days", "3"),
            ("gateway", "master-key.wrapping-key", "pkcs11:token=t;object=o?module-path=/m.so"),
            ("gateway", "retention.traces", "3"), ("gateway", "sms-codes.tries", "3"),
            ("gateway", "sms-upstream.number", "10690123"),
            ("gateway", "callbacks.ports", "443"),
            ("gateway", "attestation.without-challenge", "true"),
            ("gateway", "openid.issuer", "https://a"), ("gateway", "gateways.names", "x"),
            ("gateway", "listen.mtls", "127.0.0.1:1"), ("gateway", "openid.mtls", "https://a"),
            ("gateway", "openid.client-authority", "ca.pem"),
            ("gateway", "listen.gateways", "127.0.0.1:1"), ("gateway", "face.terms-url", "https://a"),
            ("gateway", "face.engines", "2"),
            ("all", "gateways.names", "x"), ("all", "listen.gateways", "127.0.0.1:1"),
            ("all", "authority.url", "https://a"),
        ])
    func roles(role: String, key: String, value: String) async throws {
        var flags = ["role": role, key: value]
        if role != "all" { flags.merge(Self.link) { $1 } }
        if role == "authority" { flags["listen.gateways"] = "127.0.0.1:2" }
        if role == "gateway" { flags["authority.url"] = "https://a" }
        let said = try await problem(nil, flags: flags)
        #expect(said.contains("\(key): has no effect in the role \(role)"), "\(said)")
        #expect(!said.contains("name it in"))
        var environment: [String: String] = [:]
        for (key, value) in flags {
            environment["BENJI_" + key.uppercased().replacing(".", with: "_").replacing("-", with: "_")] = value
        }
        #expect(try await problem(nil, environment: environment).contains("has no effect in the role \(role)"))
    }

    @Test("A gateway is told one authority or several, each by its https address and once")
    func authorities() async throws {
        func said(_ url: String, _ more: [String: String] = [:]) async throws -> String {
            try await problem(
                nil, flags: ["role": "gateway", "authority.url": url].merging(Self.link) { $1 }.merging(more) { $1 })
        }
        #expect(try await said("https://a:1") == "good")
        #expect(try await said("https://a:1, https://b:1") == "good")
        #expect(try await said("https://a:1,https://a:1").contains("there twice"))
        #expect(
            try await said("https://a:1,http://b:1").contains("authority.url: each must be an address such as https"))
        #expect(try await said("").contains("authority.url"))
        let memory = ["limits.remembered-proofs": "1000"]
        #expect(try await said("https://a:1,https://b:1", memory) == "good")
        #expect(try await said("https://a:1", memory).contains("limits.remembered-proofs: has no effect"))
    }

    @Test("A gateway waits for an authority as long as it is set, by default two seconds")
    func authorityTimeout() async throws {
        let own = ["role": "gateway", "authority.url": "https://a:1"].merging(Self.link) { $1 }
        #expect(try await load(nil, flags: own).get().authorityTimeout == .seconds(2))
        for (value, expected) in [("1", 1), ("600", 600)] {
            let flags = own.merging(["authority.timeout": value]) { $1 }
            #expect(try await load(nil, flags: flags).get().authorityTimeout == .seconds(expected))
        }
        for value in ["0", "601", "2.5", "-1", "2s", ""] {
            let said = try await problem(nil, flags: own.merging(["authority.timeout": value]) { $1 })
            #expect(said.contains("authority.timeout: must be seconds, 1 to 600"), "\(value): \(said)")
        }
    }

    @Test("The checks report the mode of TLS to PostgreSQL, and warn of one that does not verify the server")
    func postgresVerification() async throws {
        func finding(_ place: String) async throws -> DoctorCommand.Finding {
            let configuration = try await load(flags: ["store.postgres": place]).get()
            return try #require(DoctorCommand.examine(configuration).first { $0.subject == "store.postgres" })
        }
        let verified = try await finding("host=db.example.com")
        #expect(verified.verdict == .good && verified.text.contains("sslmode=verify-full"), "\(verified.text)")
        let weak = try await finding("host=db.example.com sslmode=prefer")
        #expect(weak.verdict == .warning && weak.text.contains("sslmode=prefer"), "\(weak.text)")
        #expect(weak.text.contains("sslrootcert="), "\(weak.text)")
        let local = try await finding("host=localhost")
        #expect(local.verdict == .good && local.text.contains("on this machine"), "\(local.text)")
    }

    @Test("Work waits for PostgreSQL as long as it is set, by default ten seconds, and six for an answer")
    func postgresTimeouts() async throws {
        let own = ["store.postgres": "host=localhost dbname=benji"]
        func deadlines(_ more: [String: String]) async throws -> [Duration] {
            let postgres = try #require(try await load(flags: own.merging(more) { $1 }).get().postgres)
            return [postgres.deadlines.queue, postgres.deadlines.answer]
        }
        #expect(try await deadlines([:]) == [.seconds(10), .seconds(6)])
        let longest = ["store.queue-timeout": "600", "store.answer-timeout": "600"]
        #expect(try await deadlines(longest) == [.seconds(600), .seconds(600)])
        #expect(try await deadlines(["store.queue-timeout": "1"]) == [.seconds(1), .seconds(6)])
        for (key, value, range) in [
            ("store.queue-timeout", "0", "1 to 600"), ("store.queue-timeout", "601", "1 to 600"),
            ("store.answer-timeout", "5", "6 to 600"), ("store.answer-timeout", "1.5", "6 to 600"),
        ] {
            let said = try await problem(flags: own.merging([key: value]) { $1 })
            #expect(said.contains("\(key): must be seconds, \(range)"), "\(said)")
        }
    }

    @Test("Face login is switched on at an authority, with what it needs to look at faces, and never at a gateway")
    func faces() async throws {
        let gateway = ["role": "gateway", "authority.url": "https://a", "face.enabled": "true"]
        let refused = try await problem(flags: gateway.merging(Self.link) { $1 })
        #expect(refused.contains("face.enabled: has no effect in the role gateway"), "\(refused)")
        #if Face
        func load(_ role: String, _ more: [String: String]) async throws -> ServerConfiguration {
            let own = role == "gateway" ? ["authority.url": "https://a"] : ["listen.gateways": "127.0.0.1:2"]
            let flags = [["role": role], own, Self.link, more].reduce(into: [:]) { $0.merge($1) { $1 } }
            return try await self.load(nil, flags: flags).get()
        }
        let authority = try await load("authority", ["face.enabled": "true", "face.terms-url": "https://a"])
        #expect(authority.face != nil)
        for title in ["规\u{202e}则", "规\u{200b}则", " 规则"] {
            let flags = [
                "role": "authority", "listen.gateways": "127.0.0.1:2", "face.enabled": "true",
                "face.terms-url": "https://a", "face.terms-title": title,
            ].merging(Self.link) { $1 }
            let problem = try await problem(nil, flags: flags)
            #expect(problem.contains("face.terms-title") && problem.contains("must not hold U+"), "\(problem)")
        }
        #endif
    }

    @Test("A pair is two gateways, told to both of them and to their authority")
    func pairs() async throws {
        let link = Self.link
        func authority(_ more: [String: String]) async throws -> String {
            let own = [
                "role": "authority", "listen.gateways": "127.0.0.1:2", "gateways.names": "a,b,c",
                "gateways.a.carriers": "mobile", "gateways.b.carriers": "mobile", "gateways.c.carriers": "mobile",
            ]
            return try await problem(nil, flags: own.merging(link) { $1 }.merging(more) { $1 })
        }
        #expect(try await authority([:]) == "good")
        #expect(try await authority(["gateways.a.pair": "east", "gateways.b.pair": "east"]) == "good")
        #expect(
            try await authority(["gateways.a.pair": "east"]).contains(
                "gateways.a.pair: the pair east is named by one gateway"))
        let three = ["gateways.a.pair": "east", "gateways.b.pair": "east", "gateways.c.pair": "east"]
        #expect(try await authority(three).contains("a pair is two"))
        #expect(try await authority(["gateways.d.pair": "east"]).contains("gateways.d.pair"))
        let gateway = ["role": "gateway", "authority.url": "https://a:1", "gateway.pair": "true"].merging(link) { $1 }
        let loaded = try await load(nil, flags: gateway).get()
        let service = loaded.gateway.service(journalPath: loaded.journalPath)
        #expect(service.isPaired && service.journalPath == nil && service.problems.isEmpty)
        #expect(try await problem(flags: ["gateway.pair": "true"]).contains("needs the role gateway"))
        #expect(try await problem(flags: ["gateway.pair": "yes"]).contains("must be true or false"))
    }

    @Test("An authority with an issuer must be told where the pages are, and a gateway must not")
    func loginPages() async throws {
        func load(_ role: String, _ more: [String: String]) async throws -> Result<
            ServerConfiguration, ConfigurationError
        > {
            let own = role == "gateway" ? ["authority.url": "https://a"] : ["listen.gateways": "127.0.0.1:2"]
            let flags = [["role": role], own, Self.link, more].reduce(into: [:]) { $0.merge($1) { $1 } }
            return try await self.load(nil, flags: flags)
        }
        let issuer = ["openid.issuer": "https://id.example"]
        let pages = ["openid.pages": "https://gw.example"]
        if case .failure(let error) = try await load("authority", issuer) {
            #expect(error.description.contains("openid.pages: missing") && error.description.contains("gateways"))
        } else {
            Issue.record("an authority without the pages was taken")
        }
        let authority = try await load("authority", issuer.merging(pages) { $1 }).get()
        #expect(authority.openID?.pages == "https://gw.example")
        if case .success = try await load("authority", issuer.merging(["openid.pages": "http://gw.example"]) { $1 }) {
            Issue.record("pages without TLS were taken")
        }
        if case .failure(let error) = try await load("gateway", pages) {
            #expect(error.description.contains("openid.pages: has no effect in the role gateway"))
        } else {
            Issue.record("a gateway with a setting of the authority's was taken")
        }
    }

    @Test(
        """
        Where clients show certificates is named from inside and from outside, beside OpenID Connect and TLS; what is \
        missing is named
        """
    )
    func clientCertificates() async throws {
        let whole = [
            "openid.issuer": "https://id.example", "openid.pages": "https://gw.example", "tls.certificate": "c.pem",
            "tls.key": "k.pem", "listen.mtls": "127.0.0.1:8085", "openid.mtls": "https://mtls.id.example",
            "openid.client-authority": "ca.pem",
        ]
        let good = try await load(nil, flags: whole).get()
        #expect(good.openID?.mutualTLS == "https://mtls.id.example" && good.clientTLS?.address.port == 8085)
        #expect(good.listeners.contains { $0.name == .mtls })
        for (missing, named) in [
            (["listen.mtls"], "openid.mtls: has no effect"), (["openid.mtls"], "openid.mtls"),
            (["listen.mtls", "openid.mtls"], "openid.client-authority: has no effect"),
            (["tls.certificate", "tls.key"], "listen.mtls"), (["openid.issuer"], "listen.mtls: has no effect"),
        ] {
            let said = try await problem(nil, flags: whole.filter { !missing.contains($0.key) })
            #expect(said.contains(named), "\(missing): \(said)")
        }
        for wrong in ["http://127.0.0.1:8085", "https://mtls.id.example/path", "mtls.id.example"] {
            let said = try await problem(nil, flags: whole.merging(["openid.mtls": wrong]) { $1 })
            #expect(said.contains("openid.mtls"), "\(wrong): \(said)")
        }
        let without = try await load(nil, flags: whole.filter { $0.key != "openid.client-authority" }).get()
        #expect(without.clientTLS != nil && without.clientTLS?.clientAuthority == nil)
    }

    @Test("Doctor names an app whose server must show a certificate where nobody asks for one, and what to run")
    func unheardCertificates() async throws {
        let flags = ["openid.issuer": "https://id.example", "openid.pages": "https://gw.example"]
        let without = try await load(nil, flags: flags).get()
        let with = try await load(
            nil,
            flags: flags.merging([
                "tls.certificate": "c.pem", "tls.key": "k.pem", "listen.mtls": "127.0.0.1:8085",
                "openid.mtls": "https://mtls.id.example",
            ]) { $1 }
        ).get()
        func client(_ method: ClientAuthentication, bound: Bool) -> OpenIDClientRecord {
            OpenIDClientRecord(
                appID: app, redirectURIs: [], authentication: method, secrets: [], keySet: nil,
                idTokenAlgorithm: .es256,
                asksMiddleDigits: false, requiresPushedRequests: false, page: "{}", bindsToCertificate: bound)
        }
        let app = try #require(AppID(rawValue: "300012345678"))
        for (client, remedy) in [
            (client(.privateKeyJWT, bound: true), "app openid set 300012345678 --no-certificate-bound-tokens"),
            (client(.tlsClientAuth, bound: true), "app openid set 300012345678 --auth-method private_key_jwt"),
        ] {
            let said = DoctorCommand.examine(client, without)
            #expect(said.map(\.verdict) == [.warning] && said[0].text.contains(remedy), "\(said)")
            #expect(DoctorCommand.examine(client, with).isEmpty)
        }
        #expect(DoctorCommand.examine(client(.privateKeyJWT, bound: false), without).isEmpty)
    }

    @Test("A file that holds something else than settings is told so")
    func noMapping() async throws {
        #expect(try await problem("- a\n- b").contains("must be settings, such as"))
        #expect(try await problem("hello").contains("must be settings, such as"))
        #expect(try await problem("") == "good", "an empty file sets nothing")
    }

    @Test(
        "Doctor and serve --check name two listeners on one port, blocks that are everybody, and what one name is twice"
    )
    func clashes() async throws {
        func lines(_ flags: [String: String]) async throws -> [String] {
            DoctorCommand.examine(try await load(flags: flags).get()).map { "\($0.verdict) \($0.subject): \($0.text)" }
        }
        #expect(
            try await lines(["listen.device": "127.0.0.1:8081"]).contains {
                $0.hasPrefix("wrong listen.server") && $0.contains("listen.device")
            })
        #expect(
            try await lines(["listen.device": "0.0.0.0:8082"]).contains {
                $0.hasPrefix("wrong listen.admin") && $0.contains("listen.device")
            }, "all addresses are that one too")
        for good in [
            ["listen.device": "127.0.0.2:8081"], ["listen.accounting": "127.0.0.1:8080"],
            ["listen.device": "127.0.0.1:0", "listen.server": "127.0.0.1:0"],
        ] {
            #expect(try await !lines(good).contains { $0.hasPrefix("wrong listen") }, "\(good)")
        }
        for key in ["sources", "pools"] {
            #expect(
                try await lines(["nas.pgw.\(key)": "0.0.0.0/0"]).contains {
                    $0.hasPrefix("wrong nas pgw") && $0.contains("nas.pgw.\(key)") && $0.contains("0.0.0.0/0")
                }, "\(key)")
        }
        #expect(try await problem(flags: ["nas.names": "pgw, pgw"]).contains("nas.names: pgw is there twice"))
    }
}
