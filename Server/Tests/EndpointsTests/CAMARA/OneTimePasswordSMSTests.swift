import HTTPTypes
import ServerTestKit
import ShortMessages
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

/// one-time-password-sms 1.1.1.
@Suite("CAMARA's one-time-password-sms")
struct OneTimePasswordSMSTests {
    private typealias World = OpenIDWorld
    private static let scope = "one-time-password-sms:send-validate"

    /// The bank of an ``OpenIDWorld``, to which messages may be sent.
    private struct Bank {
        let world: OpenIDWorld
        let sender: RecordingSender
        let provider: OpenIDProvider
        let token: String

        func send(
            _ number: PhoneNumber = OpenIDWorld.number, message: String = "{{code}} logs you in", token: String? = nil,
            headers: HTTPFields = [:]
        ) async throws -> Exchange {
            let body = JSON.object(["phoneNumber": .string("+" + number.e164), "message": .string(message)])
            return try await world.camara(
                .sendCode, token ?? self.token, body.text, headers: headers, provider: provider)
        }

        func validate(
            _ code: String, of id: String, token: String? = nil, headers: HTTPFields = [:]
        ) async throws -> Exchange {
            let body = JSON.object(["authenticationId": .string(id), "code": .string(code)])
            return try await world.camara(
                .validateCode, token ?? self.token, body.text, headers: headers, provider: provider)
        }

        func id(_ number: PhoneNumber = OpenIDWorld.number) async throws -> String {
            try #require(try await send(number).json["authenticationId"]?.stringValue)
        }

        var wrong: String { String(sender.code.map { Character(String((($0.wholeNumberValue ?? 0) + 1) % 10)) }) }
    }

    private static func visit(
        _ sender: RecordingSender? = RecordingSender(), settings: SMSCodes.Settings = SMSCodes.Settings(),
        _ body: (Bank) async throws -> Void
    ) async throws {
        try await World.visitBank { world in
            try await world.changeBank { $0.capabilities.insert(.smsCodes) }
            let provider = OpenIDProvider(
                configuration: world.provider.configuration, authority: world.authority, store: world.store,
                smsLogin: SMSLogin(
                    authority: world.authority,
                    codes: SMSCodes(
                        settings: settings, authority: world.authority, store: world.store, sender: sender),
                    quarantine: world.register.quarantine))
            try await body(
                Bank(
                    world: world, sender: sender ?? RecordingSender(), provider: provider,
                    token: try await world.ownToken(scope)))
        }
    }

    @Test("a code goes to the number in the app's words, and validates once; its message is billed, its validation not")
    func walk() async throws {
        try await Self.visit { bank in
            let sent = try await bank.send(message: "{{code}}: do not tell {{code}}")
            let id = try #require(sent.json["authenticationId"]?.stringValue)
            #expect(sent.status == .ok && id.utf8.count <= 36)
            let message = try #require(bank.sender.messages.first)
            #expect(message.text == "\(bank.sender.code): do not tell \(bank.sender.code)")
            #expect(message.to == World.number)
            let right = try await bank.validate(bank.sender.code, of: id)
            #expect(right.status == .noContent && right.body.isEmpty)
            #expect(
                try await bank.validate(bank.sender.code, of: id).isRefused(
                    400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED"))
            let lines = try await bank.world.store.ledgerEntries(app: bank.world.bank.record.id, limit: 9)
            #expect(lines.map(\.interface) == ["one-time-password-sms.send-code"] && lines[0].result == "sent")
            let steps = try await bank.world.store.traceEvents(try #require(lines.first?.trace))
            #expect(steps.map(\.step).suffix(3) == ["sms.send", "sms.compare", "sms.compare"])
        }
    }

    @Test("a code is sent and validated with x-correlator, which comes back, and without")
    func correlator() async throws {
        try await Self.visit { bank in
            for correlator in ["b4333c46-49c0-4f62-80d7-f0ef930f1c46", nil] {
                var headers: HTTPFields = [:]
                headers[Correlator.header] = correlator
                let sent = try await bank.send(headers: headers)
                #expect(sent.status == .ok && sent.headers[.contentType] == "application/json")
                #expect(sent.headers[Correlator.header] == correlator)
                let id = try #require(sent.json["authenticationId"]?.stringValue)
                let right = try await bank.validate(bank.sender.code, of: id, headers: headers)
                #expect(right.status == .noContent && right.headers[Correlator.header] == correlator)
            }
        }
    }

    @Test("wrong codes are told as wrong until the tries are used up, a replaced or old one as expired")
    func codes() async throws {
        try await Self.visit(settings: .with { $0.tries = 2 }) { bank in
            let id = try await bank.id()
            for _ in 0..<2 {
                #expect(
                    try await bank.validate(bank.wrong, of: id).isRefused(400, "ONE_TIME_PASSWORD_SMS.INVALID_OTP"))
            }
            #expect(
                try await bank.validate(bank.sender.code, of: id).isRefused(
                    400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED"))
            let old = try await bank.id()
            let code = bank.sender.code
            let new = try await bank.id()
            #expect(
                try await bank.validate(code, of: old).isRefused(400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED"))
            bank.world.clock.advance(by: .seconds(299))
            let late = try await bank.world.ownToken(Self.scope)
            bank.world.clock.advance(by: .seconds(1))
            #expect(
                try await bank.validate(bank.sender.code, of: new, token: late).isRefused(
                    400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED"))
            for id in ["ea0840f3-3663-4149-bd10-c7c6b8912105", String(repeating: "a", count: 32)] {
                #expect(try await bank.validate("123456", of: id, token: late).isRefused(404, "NOT_FOUND"))
            }
        }
    }

    @Test("limits of a number, of an app and of a range of numbers have their codes, and a refusal is not billed")
    func limits() async throws {
        let settings = SMSCodes.Settings.with {
            $0.perMinute = 2
            $0.perPrefixAndHour = 3
            $0.perAppAndDay = 4
        }
        try await Self.visit(settings: settings) { bank in
            for _ in 0..<2 { #expect(try await bank.send().status == .ok) }
            #expect(try await bank.send().isRefused(403, "ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED"))
            let neighbours = try (2...3).map { try #require(PhoneNumber("+861380000000\($0)")) }
            #expect(try await bank.send(neighbours[0]).status == .ok)
            let prefix = try await bank.send(neighbours[1])
            #expect(prefix.isRefused(429, "TOO_MANY_REQUESTS") && prefix.headers[.retryAfter] != nil)
            #expect(try await bank.send(World.otherNumber).status == .ok)
            let app = try await bank.send(try #require(PhoneNumber("+8613700000001")))
            #expect(app.isRefused(429, "QUOTA_EXCEEDED"))
            #expect(
                try await bank.world.store.ledgerEntries(app: bank.world.bank.record.id, limit: 9).count
                    == bank.sender.messages.count && bank.sender.messages.count == 4)
        }
    }

    @Test("numbers that are sent nothing, and messages that nobody takes, are told as that and not billed")
    func notSent() async throws {
        try await Self.visit { bank in
            for number in ["+447700900123", "+12345", "+8615400000001", "+8616000000001"] {
                let body = #"{"phoneNumber":"\#(number)","message":"{{code}}"}"#
                let answer = try await bank.world.camara(.sendCode, bank.token, body, provider: bank.provider)
                #expect(answer.isRefused(403, "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED"))
            }
        }
        let reasons: [(NotTakenReason, Int, String)] = [
            (.destination, 403, "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_BLOCKED"), (.unavailable, 503, "UNAVAILABLE"),
            (.throttled, 503, "UNAVAILABLE"), (.refused, 503, "UNAVAILABLE"),
        ]
        for (reason, status, code) in reasons {
            try await Self.visit(RecordingSender { _ in .notTaken(reason: reason) }) { bank async throws in
                #expect(try await bank.send().isRefused(status, code))
                #expect(try await bank.world.store.ledgerEntries(app: bank.world.bank.record.id, limit: 9).isEmpty)
            }
        }
        try await Self.visit(RecordingSender { _ in .unknown(by: "s") }) { bank async throws in
            let id = try await bank.id()
            #expect(try await bank.validate(bank.sender.code, of: id).status == .noContent, "it may be under way")
            #expect(try await bank.world.store.ledgerEntries(app: bank.world.bank.record.id, limit: 9).count == 1)
        }
        try await Self.visit(nil) { bank async throws in
            #expect(try await bank.send().isRefused(503, "UNAVAILABLE"))
            #expect(try await bank.world.camara(.sendCode, bank.token, "{}").isRefused(400, "INVALID_ARGUMENT"))
        }
    }

    @Test(
        "a body that is not as defined is refused and sends nothing",
        arguments: [
            #"{"message":"{{code}}"}"#, #"{"phoneNumber":"+8613800000001"}"#, "{}", "[]",
            #"{"phoneNumber":"13800000001","message":"{{code}}"}"#, #"{"phoneNumber":1,"message":"{{code}}"}"#,
            #"{"phoneNumber":"+8613800000001","message":"code"}"#, #"{"phoneNumber":"+8613800000001","message":null}"#,
            #"{"phoneNumber":"+8613800000001","message":"{{code}}\u0007"}"#,
            #"{"phoneNumber":"+8613800000001","message":"{{code}}\u202e"}"#,
            #"{"phoneNumber":"+8613800000001","message":"{{code}}","more":1}"#,
            #"{"phoneNumber":"+8613800000001","message":"{{code}}\#(String(repeating: "字", count: 153))"}"#,
        ])
    func bodies(_ body: String) async throws {
        try await Self.visit { bank in
            let answer = try await bank.world.camara(.sendCode, bank.token, body, provider: bank.provider)
            #expect(answer.isRefused(400, "INVALID_ARGUMENT"))
            #expect(bank.sender.messages.isEmpty)
            let longest = "{{code}}" + String(repeating: "字", count: 152)
            #expect(try await bank.send(message: longest).status == .ok)
            for body in [
                #"{"code":"1"}"#, #"{"authenticationId":"a"}"#, #"{"authenticationId":"a","code":1}"#,
                #"{"authenticationId":"a","code":"1","more":1}"#,
            ] {
                let answer = try await bank.world.camara(.validateCode, bank.token, body, provider: bank.provider)
                #expect(answer.isRefused(400, "INVALID_ARGUMENT"))
            }
            for (id, code) in [(String(repeating: "a", count: 37), "1"), ("a", "12345678901")] {
                #expect(try await bank.validate(code, of: id).isRefused(400, "INVALID_ARGUMENT"))
            }
        }
    }

    @Test("only an app with the capability, by its own token for this scope, sends codes; a phone's browser cannot")
    func permission() async throws {
        try await Self.visit { bank in
            let world = bank.world
            #expect(try await bank.send(token: "no-token").isRefused(401, "UNAUTHENTICATED"))
            let other = try await world.ownToken("sim-swap")
            #expect(try await bank.send(token: other).isRefused(403, "PERMISSION_DENIED"))
            let asked = try await world.askNetwork("\(Self.scope) \(World.purpose)")
            #expect(asked.landing["error"] == "invalid_scope" && asked.landing["code"] == nil)
            // A token of a person with this scope is never issued; shown all the same, it is refused.
            let person = try await world.networkToken("sim-swap")
            let forged = try await world.replace(person) {
                $0.details = $0.details.replacing("sim-swap", with: Self.scope)
            }
            #expect(try await bank.send(token: forged).isRefused(403, "PERMISSION_DENIED"))
            let id = try await bank.id()
            try await world.changeBank { $0.capabilities.remove(.smsCodes) }
            #expect(try await bank.send().isRefused(403, "PERMISSION_DENIED"))
            #expect(try await bank.validate(bank.sender.code, of: id).isRefused(403, "PERMISSION_DENIED"))
            let refused = try await world.bankToken([
                "grant_type": "client_credentials", "scope": "\(Self.scope) \(World.purpose)",
            ])
            #expect(refused.json["error"]?.stringValue == "unauthorized_client")
            #expect(bank.sender.messages.count == 1)
        }
    }
}

extension Exchange {
    /// Whether it is a whole CAMARA error with this status and code.
    fileprivate func isRefused(_ status: Int, _ code: String) -> Bool { camaraError == "\(status) \(code)" }
}
