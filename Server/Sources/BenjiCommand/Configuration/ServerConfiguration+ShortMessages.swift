import Authority
import BenjiPolicy
@_spi(Server) import BenjiProtocol
import Foundation
import NIOSSL
import SMPP
import ServerHTTP
import ServerRuntime
import ShortMessageSending

extension ServerConfiguration {
    /// One of `sms.names`.
    struct ShortMessageSenderSettings: Sendable {
        enum Kind: Sendable {
            case smpp(SMPPSender.Configuration)
            case http(HTTPSender.Configuration, tls: TLSConfiguration)
            case file(path: String)
        }

        var name: String
        var kind: Kind
    }

    /// The senders of `sms.names`, in the order in which they are asked.
    static func shortMessageSenders(
        _ settings: Settings
    ) throws(ConfigurationError) -> [ShortMessageSenderSettings] {
        var senders: [ShortMessageSenderSettings] = []
        for name in try settings.list("sms.names", "a name", Settings.name, isUnique: true) {
            let kind = try settings.value("sms.\(name).kind", "smpp, http or file") {
                ["smpp", "http", "file"].contains($0) ? $0 : nil
            }
            senders.append(
                ShortMessageSenderSettings(
                    name: name,
                    kind: kind == "smpp"
                        ? .smpp(try smpp(name, settings))
                        : kind == "http"
                            ? try http(name, settings) : .file(path: try settings.required("sms.\(name).path"))
                ))
        }
        return senders
    }

    /// Which texts people may send to log in, and whose word counts for whom they come from.
    mutating func readSMSUpstream(_ settings: Settings) throws(ConfigurationError) {
        for sender in shortMessageSenders {
            let key = "sms.\(sender.name).upstream-carriers"
            guard case .smpp(let smpp) = sender.kind, settings.string(key) != nil else { continue }
            guard smpp.session.bind.kind == .transceiver else {
                throw ConfigurationError(key: key, problem: "a transmitter hears nothing: sms.\(sender.name).bind")
            }
            smsUpstream.carriers[sender.name] = Set(
                try settings.list(key, process.policy.names) { process.policy.carrier($0) })
        }
        guard settings.string("sms-upstream.number") != nil else {
            if let name = smsUpstream.carriers.keys.min() {
                throw ConfigurationError(
                    key: "sms.\(name).upstream-carriers",
                    problem: "has no effect: sms-upstream.number says where people send texts, and is missing")
            }
            return
        }
        smsUpstream.number = try settings.value("sms-upstream.number", "3 to 20 digits, as they are dialled") {
            (3...20).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? $0 : nil
        }
        guard !smsUpstream.carriers.isEmpty else {
            throw ConfigurationError(
                key: "sms-upstream.number",
                problem: "nobody's word counts: set sms.NAME.upstream-carriers of the sender whose SMSC delivers them")
        }
        smsUpstream.lifetime = try settings.seconds("sms-upstream.lifetime", default: smsUpstream.lifetime)
        smsUpstream.perAppAndDay = try settings.number(
            "sms-upstream.per-app-and-day", default: smsUpstream.perAppAndDay)
        smsUpstream.perPhoneAddressAndHour = try settings.number(
            "sms-upstream.per-device-address-and-hour", default: smsUpstream.perPhoneAddressAndHour)
        smsUpstream.text = try settings.value(
            "sms-upstream.text", default: smsUpstream.text,
            "one line with {{app}} and {{code}} in it, once each, and \(SMSUpstream.Settings.unitsOfWords) other "
                + "characters at most",
            { SMSUpstream.Settings.isGood(text: $0) ? $0 : nil })
        if let problem = TextGrammar.problem(in: smsUpstream.text) {
            throw ConfigurationError(key: "sms-upstream.text", problem: problem)
        }
    }

    private static func smpp(_ name: String, _ settings: Settings) throws(ConfigurationError)
        -> SMPPSender.Configuration
    {
        let (host, port) = try settings.value(
            "sms.\(name).address", "a name or an address and a port, such as smsc.example.net:2775", hostAndPort)
        let password = try secret("sms.\(name).password-file", settings)
        guard password.utf8.count <= 8, password.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
            throw ConfigurationError(
                key: "sms.\(name).password-file", problem: "a password of SMPP has 8 ASCII characters at most")
        }
        let kind = try settings.value(
            "sms.\(name).bind", default: Bind.Kind.transceiver,
            "transceiver, or transmitter for an SMSC whose receipts are of no interest"
        ) { Bind.Kind(rawValue: $0).flatMap { $0 == .receiver ? nil : $0 } }
        var session = SMPPSession.Settings(
            bind: Bind(
                kind: kind,
                systemID: try settings.value("sms.\(name).system-id", "1 to 15 ASCII characters", ascii(1...15)),
                password: password,
                systemType: try settings.value(
                    "sms.\(name).system-type", default: "", "up to 12 ASCII characters", ascii(0...12))))
        session.window = try settings.number("sms.\(name).window", default: session.window)
        session.responseTime = try settings.seconds(
            "sms.\(name).response-timeout", default: session.responseTime)
        session.enquireAfter = try settings.seconds(
            "sms.\(name).enquire-interval", default: session.enquireAfter)
        let usesTLS = try settings.flag("sms.\(name).tls", default: true)
        if !usesTLS, let origin = settings.origin("sms.\(name).tls-authority") {
            throw ConfigurationError(
                key: "sms.\(name).tls-authority", problem: "has no effect (from \(origin)): sms.\(name).tls is false")
        }
        return SMPPSender.Configuration(
            name: name, host: host, port: port, session: session,
            tls: usesTLS ? try context(name, settings) : nil, source: try source(name, settings) ?? "",
            serviceType: try settings.value(
                "sms.\(name).service-type", default: "", "up to 5 ASCII characters", ascii(0...5)))
    }

    private static func http(
        _ name: String, _ settings: Settings
    ) throws(ConfigurationError) -> ShortMessageSenderSettings.Kind {
        let url = try settings.value(
            "sms.\(name).url", "an address that begins with https:// (http:// only for this machine)"
        ) { text -> String? in
            guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, parts.user == nil
            else { return nil }
            return parts.scheme == "https" || parts.scheme == "http" && OwnMachine.isNamed(host) ? text : nil
        }
        let token = try secret("sms.\(name).secret-file", settings)
        let header = try settings.value("sms.\(name).header", default: "authorization", "the name of a header") {
            (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(isPlainInHeader) ? $0.lowercased() : nil
        }
        var configuration = HTTPSender.Configuration(
            name: name, url: url,
            header: (name: header, value: header == "authorization" ? "Bearer \(token)" : token),
            source: try source(name, settings))
        let fields = configuration.fields
        configuration.fields.to = settings.string("sms.\(name).to-field") ?? fields.to
        configuration.fields.text = settings.string("sms.\(name).text-field") ?? fields.text
        configuration.fields.from = settings.string("sms.\(name).from-field") ?? fields.from
        configuration.fields.id = settings.string("sms.\(name).id-field") ?? fields.id
        let names = [configuration.fields.to, configuration.fields.text, configuration.fields.from]
        guard Set(names).count == names.count else {
            throw ConfigurationError(key: "sms.\(name).to-field", problem: "two fields have the same name")
        }
        configuration.responseTime = try settings.seconds(
            "sms.\(name).response-timeout", default: configuration.responseTime)
        return .http(configuration, tls: try clientTLS("sms.\(name).tls-authority", settings))
    }

    private static func source(_ name: String, _ settings: Settings) throws(ConfigurationError) -> String? {
        guard settings.string("sms.\(name).source") != nil else { return nil }
        return try settings.value(
            "sms.\(name).source", "a number of up to 20 digits, or up to 11 letters and digits"
        ) { text -> String? in
            let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
            let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
            let isName = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) } && !text.hasPrefix("+")
            return (isNumber ? digits.utf8.count <= 20 : isName && (1...11).contains(text.utf8.count)) ? text : nil
        }
    }

    /// Returns the content of a file, without the end of its line.
    static func secret(_ key: String, _ settings: Settings) throws(ConfigurationError) -> String {
        let path = try settings.required(key)
        guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8)
        else {
            throw ConfigurationError(
                key: key, problem: "\(path): \(CommandFile.readingProblem(path) ?? "it cannot be read")")
        }
        let value = text.trimmingCharacters(in: .newlines)
        guard (1...4096).contains(value.utf8.count), value.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
            throw ConfigurationError(key: key, problem: "\(path) must hold one line of ASCII, the secret")
        }
        return value
    }

    /// Faults in the rights of secrets' files.
    static func exposedSecretFiles(_ settings: Settings) -> [String] {
        let names = (settings.string("sms.names") ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let keys =
            names.flatMap { ["sms.\($0).password-file", "sms.\($0).secret-file"] }
            + (settings.string("console.openid.issuer") == nil ? [] : ["console.openid.client-secret-file"])
        return keys.compactMap { key in
            guard let path = settings.string(key),
                let attributes = try? FileManager.default.attributesOfItem(
                    atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path),
                let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue, mode & 0o006 != 0
            else { return nil }
            return
                "\(path) (\(key)) holds a secret, and everybody on this machine may read or write it; run: chmod o-rwx "
                + "\(path)"
        }
    }

    /// For calls out of this process.
    /// - Parameter key: the setting that names who signs the other side's certificate; the system's authorities do if
    ///   it is absent.
    static func clientTLS(_ key: String, _ settings: Settings) throws(ConfigurationError) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let path = settings.string(key) {
            do { tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path)) } catch {
                throw ConfigurationError(
                    key: key, problem: "\(path): \(CommandFile.readingProblem(path) ?? "it holds no PEM certificates")")
            }
        }
        return tls
    }

    private static func context(_ name: String, _ settings: Settings) throws(ConfigurationError) -> NIOSSLContext {
        let tls = try clientTLS("sms.\(name).tls-authority", settings)
        do { return try NIOSSLContext(configuration: tls) } catch {
            throw ConfigurationError(key: "sms.\(name).tls", problem: "TLS cannot be used: \(error)")
        }
    }

    private static func hostAndPort(_ text: String) -> (host: String, port: Int)? {
        if let address = ListenAddress(text), address.port > 0 {
            return (address.host.description, Int(address.port))
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let host = Settings.hostName(String(parts[0])), let port = UInt16(parts[1]), port > 0
        else {
            return nil
        }
        return (host, Int(port))
    }

    private static func ascii(_ count: ClosedRange<Int>) -> (String) -> String? {
        { count.contains($0.utf8.count) && $0.utf8.allSatisfy { (0x20..<0x7f).contains($0) } ? $0 : nil }
    }

    private static func isPlainInHeader(_ byte: UInt8) -> Bool {
        byte == 0x2d || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }
}
