import ArgumentParser
import Authority
import BenjiProtocol
import Foundation
import SMPP
import ShortMessageSending
import Testing

@testable import BenjiCommand
@testable import ServerRuntime

@Suite("Settings of short messages")
struct ShortMessageSettingsTests {
    private let folder = NSTemporaryDirectory() + "sms-settings-\(UUID().uuidString)"

    /// Settings of a sender of each kind, with secrets in files.
    private func flags(_ changes: [String: String?] = [:], password: String = "secret08\n", mode: Int = 0o600) throws
        -> [String: String]
    {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in [("password", password), ("token", "a-token\n")] {
            try #require(
                FileManager.default.createFile(
                    atPath: "\(folder)/\(name)", contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
        }
        var flags = [
            "sms.names": "smsc,provider,file", "sms.smsc.kind": "smpp", "sms.smsc.address": "smsc.example:2775",
            "sms.smsc.system-id": "benji", "sms.smsc.password-file": "\(folder)/password", "sms.smsc.source": "10690",
            "sms.provider.kind": "http", "sms.provider.url": "https://sms.example/send",
            "sms.provider.secret-file": "\(folder)/token", "sms.file.kind": "file",
            "sms.file.path": "\(folder)/messages.jsonl",
        ]
        for (key, value) in changes { flags[key] = value }
        return flags
    }

    private func load(_ flags: [String: String]) throws -> ServerConfiguration {
        try ServerConfiguration(try Settings(file: nil, flags: flags, environment: [:], keys: .server))
    }

    private func problem(_ changes: [String: String?], password: String = "secret08") throws -> String {
        let flags = try flags(changes, password: password)
        do { _ = try load(flags) } catch let error as ConfigurationError { return error.description }
        return "good"
    }

    @Test("Senders are asked in the order in which they are named, each with its own settings")
    func order() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let configuration = try load(flags())
        #expect(configuration.shortMessageSenders.map(\.name) == ["smsc", "provider", "file"])
        #expect(configuration.warnings.isEmpty)
        guard case .smpp(let smpp) = configuration.shortMessageSenders[0].kind,
            case .http(let http, _) = configuration.shortMessageSenders[1].kind,
            case .file(let path) = configuration.shortMessageSenders[2].kind
        else {
            Issue.record("other kinds")
            return
        }
        #expect(smpp.host == "smsc.example" && smpp.port == 2775 && smpp.tls != nil && smpp.source == "10690")
        #expect(smpp.session.bind == Bind(kind: .transceiver, systemID: "benji", password: "secret08"))
        #expect(http.header?.name == "authorization" && http.header?.value == "Bearer a-token")
        #expect(path == "\(folder)/messages.jsonl")
        let other = try load(
            flags([
                "sms.smsc.tls": "false", "sms.smsc.bind": "transmitter", "sms.smsc.window": "3",
                "sms.smsc.response-timeout": "4", "sms.smsc.enquire-interval": "5", "sms.provider.header": "X-Key",
                "sms.provider.id-field": "messages.0.id",
            ]))
        guard case .smpp(let plain) = other.shortMessageSenders[0].kind,
            case .http(let named, _) = other.shortMessageSenders[1].kind
        else { return }
        #expect(plain.tls == nil && plain.session.bind.kind == .transmitter && plain.session.window == 3)
        #expect(plain.session.responseTime == .seconds(4) && plain.session.enquireAfter == .seconds(5))
        #expect(named.header?.name == "x-key" && named.header?.value == "a-token" && named.fields.id == "messages.0.id")
    }

    @Test(
        "A setting that is wrong or missing is named, and no secret is repeated",
        arguments: [
            ("sms.smsc.kind", "smtp"), ("sms.smsc.kind", nil), ("sms.smsc.address", "smsc.example"),
            ("sms.smsc.address", nil), ("sms.smsc.system-id", "more-than-15-letters"), ("sms.smsc.bind", "receiver"),
            ("sms.smsc.window", "0"), ("sms.smsc.response-timeout", "0"),
            ("sms.smsc.source", "a name that is too long"),
            ("sms.smsc.password-file", "/nowhere/password"), ("sms.smsc.password-file", nil),
            ("sms.smsc.tls-authority", "/nowhere/ca.pem"), ("sms.provider.url", "http://sms.example/send"),
            ("sms.provider.header", "a b"), ("sms.provider.secret-file", nil), ("sms.provider.to-field", "text"),
            ("sms.file.path", nil), ("sms.file.url", "https://sms.example"), ("sms.other.kind", "file"),
        ] as [(String, String?)])
    func wrong(key: String, value: String?) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let problem = try problem([key: value])
        #expect(problem.contains(key), "\(problem)")
        #expect(!problem.contains("secret08"))
    }

    @Test("A password that SMPP cannot carry is refused, and a secret's file that everybody may read is warned about")
    func secrets() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let long = try problem([:], password: "nine-long")
        #expect(long.contains("sms.smsc.password-file") && !long.contains("nine-long"))
        let warnings = try load(flags(mode: 0o644)).warnings
        #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("chmod o-rwx") })
    }

    @Test("Texts of phones count where a service number and the carriers of an SMSC are set, and doctor says for whom")
    func upstream() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try load(flags()).smsUpstream == SMSUpstream.Settings())
        let set = try load(
            flags([
                "sms-upstream.number": "10690123", "sms.smsc.upstream-carriers": "mobile, unicom",
                "sms-upstream.lifetime": "120", "sms-upstream.per-app-and-day": "5",
                "sms-upstream.per-device-address-and-hour": "6", "sms-upstream.text": "{{app}}: {{code}}",
                "sms.smsc.address": "127.0.0.1:1", "sms.smsc.tls": "false",
            ]))
        var wanted = SMSUpstream.Settings()
        (wanted.number, wanted.carriers, wanted.lifetime) = ("10690123", ["smsc": [.mobile, .unicom]], .seconds(120))
        (wanted.perAppAndDay, wanted.perPhoneAddressAndHour, wanted.text) = (5, 6, "{{app}}: {{code}}")
        #expect(set.smsUpstream == wanted)
        let said = await DoctorCommand.examineSenders(set).last
        #expect(said?.subject == "sms upstream" && said?.text.contains("10690123") == true)
        #expect(said?.text.contains("smsc (mobile, unicom)") == true)
    }

    @Test(
        "A service number whose messages nobody vouches for, and carriers without a service number, are refused",
        arguments: [
            ("sms-upstream.number", ["sms-upstream.number": "10690123"]),
            ("sms.smsc.upstream-carriers", ["sms.smsc.upstream-carriers": "mobile"]),
            (
                "sms.smsc.upstream-carriers",
                [
                    "sms-upstream.number": "10690123", "sms.smsc.upstream-carriers": "mobile",
                    "sms.smsc.bind": "transmitter",
                ]
            ),
            (
                "sms.smsc.upstream-carriers",
                ["sms-upstream.number": "10690123", "sms.smsc.upstream-carriers": "vodafone"]
            ),
            ("sms-upstream.number", ["sms-upstream.number": "1069", "sms.file.upstream-carriers": "mobile"]),
            ("sms-upstream.number", ["sms-upstream.number": "+861069", "sms.smsc.upstream-carriers": "mobile"]),
            (
                "sms-upstream.text",
                [
                    "sms-upstream.number": "1069", "sms.smsc.upstream-carriers": "mobile",
                    "sms-upstream.text": "without a name: {{code}}",
                ]
            ),
            ("sms-upstream.lifetime", ["sms-upstream.lifetime": "300"]),
        ] as [(String, [String: String])])
    func wrongUpstream(key: String, changes: [String: String]) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let problem = try problem(changes)
        #expect(problem.contains(key), "\(problem)")
    }

    @Test(
        "A text that people get is held to the grammar of texts, and the refusal names the setting and the character",
        arguments: [("sms-codes.login-text", "Your § code: {{code}}"), ("sms-upstream.text", "{{app}}§: {{code}}")])
    func grammar(key: String, text: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (character, name) in [("\u{202e}", "U+202E"), ("\u{200b}", "U+200B"), ("\u{7}", "U+0007"), ("", "good")] {
            let problem = try problem([
                "sms-upstream.number": "1069", "sms.smsc.upstream-carriers": "mobile",
                key: text.replacing("§", with: character),
            ])
            #expect(problem.contains(name) && (problem.contains(key) || character.isEmpty), "\(problem)")
        }
    }

    @Test("benji sms send takes no number of a range that no phone has, and says why before it reads its settings")
    func unassignedRanges() {
        func refusal(_ number: String) -> String? {
            do { _ = try SMSSendCommand.parse(["--number", number, "--config", "/nowhere"]) } catch {
                return SMSSendCommand.message(for: error)
            }
            return nil
        }
        for number in ["15400000001", "+8616000000001"] {
            let words = refusal(number) ?? "it was taken"
            #expect(
                words == "--number: must be in a range of mainland China that is assigned to mobile phones",
                "\(number): \(words)")
        }
        for number in ["15300000001", "+85291234567"] { #expect(refusal(number) == nil, "\(number)") }
    }

    @Test("Doctor names each sender, and says why an SMSC cannot be bound to")
    func doctor() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Port 1 of this machine has no listener.
        let configuration = try load(flags(["sms.smsc.address": "127.0.0.1:1", "sms.smsc.tls": "false"]))
        let findings = await DoctorCommand.examineSenders(configuration)
        #expect(findings.map(\.subject) == ["sms smsc", "sms provider", "sms file"])
        #expect(findings.map(\.verdict) == [.wrong, .good, .warning])
        #expect(findings[0].text.contains("connection refused"))
    }
}
