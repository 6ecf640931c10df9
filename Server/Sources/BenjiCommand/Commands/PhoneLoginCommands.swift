import ArgumentParser
import BenjiClient
import BenjiPage
import BenjiProtocol
import BenjiTransportCurl
import Foundation
import Sandbox
import ServerRuntime

/// The SDK's configuration, and the way that its requests leave.
struct EngineOptions: ParsableArguments {
    @Option(help: "The gateway's device listener, such as http://127.0.0.1:8080.") var server: String
    @Option(help: "The app's id.") var app: AppID
    @Option(help: "The app's key; none for an app whose phones have none.") var key: String?
    @Option(help: "The app's bundle id.") var bundle: String
    @Option(help: "Leave by this address of the machine.") var from: InternetAddress?
    @Option(help: "Leave by this network interface, such as wwan0.") var interface: String?
    @Option(help: "PEM file of the only certificate authorities to trust; the system's if not given.") var trust:
        String?
    @Option(help: "File that keeps this phone's device key; a new key each time if not given.") var keyFile: String?
    @Option(help: "Seconds to wait for each answer, at most 600.") var timeout: Double = 8
    @Option(help: "The dialect of the SDK that speaks: device, cmpassport, onelogin, geyan or superid.")
    var dialect: Dialect = .device
    @Flag(help: "Print JSON.") var json = false

    func engine() throws -> LoginEngine {
        let url: ServerURL
        do { url = try ServerURL(server) } catch { throw ValidationError("--server: \(error)") }
        guard timeout > 0, timeout <= 600 else { throw ValidationError("--timeout: more than 0, at most 600 seconds") }
        let egress: CurlTransport.Egress
        switch (from, interface) {
        case (nil, nil): egress = .any
        case (let address?, nil): egress = .sourceAddress(address)
        case (nil, let interface?): egress = .interface(interface)
        case (_?, _?): throw ValidationError("give --from or --interface, not both")
        }
        if let trust, let problem = CommandFile.readingProblem(trust) {
            throw CommandFailure("--trust \(trust): \(problem)")
        }
        if let keyFile {
            let problem =
                access(keyFile, F_OK) == 0
                ? CommandFile.readingProblem(keyFile)
                : CommandFile.isWritable(keyFile) ? nil : CommandFile.writingProblem(keyFile)
            if let problem { throw CommandFailure("--key-file \(keyFile): \(problem)") }
        }
        let store: any DeviceKeyStore = keyFile.map { FileDeviceKeyStore(path: $0) } ?? MemoryDeviceKeyStore()
        return LoginEngine(
            configuration: LoginEngine.Configuration(
                appID: app, appKey: key, bundleID: bundle, server: url, dialect: dialect,
                timeout: .milliseconds(Int64(timeout * 1000))),
            transport: CurlTransport(.init(egress: egress, trustedAuthorities: trust)), keyStore: store)
    }

    func show(_ token: LoginToken) {
        let json = JSON.object([
            "token": .string(token.token), "purpose": .string(token.purpose.rawValue),
            "lifetime": .integer(token.lifetime.components.seconds), "openId": token.openID.map { .string($0) },
            "assurance": .string(token.assurance.rawValue), "carrier": .string(token.carrier.rawValue),
            "trace": .string(token.trace.rawValue),
        ])
        let terminal = Terminal()
        if self.json {
            terminal.print(json.text)
        } else if case .object(let members) = json {
            for member in members {
                terminal.print(
                    "\(terminal.styled(Terminal.padded(member.name, to: 12), .cyan))"
                        + "\(member.value.stringValue ?? member.value.text)")
            }
        }
    }

    func explained(_ error: BenjiError) -> CommandFailure {
        CommandFailure(
            "\(error.situation.rawValue): \(error.detail)\nWhat to do: benji explain \(error.situation.rawValue)")
    }
}

struct PhoneLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log in: prefetch, the page in words, authorize; prints the token.",
        discussion: """
            Without --page the page is one that the app draws itself. With it, it is the page of the description, as a \
            phone's SDK \
            shows it: its consent carries the page digest (`benji page digest`).
            """.paragraphs)
    @OptionGroup var options: EngineOptions
    @Option(help: "The description of the page that is shown; - is standard input.") var page: String?
    @Option(help: "The language of that page: zh-Hans, zh-Hant or en.") var language: Language = .simplifiedChinese
    @Flag(help: "Tick and tap without asking.") var yes = false

    func run() async throws {
        let file: PageFile?
        do { file = try page.map { path throws(PageFileFailure) in try PageFile(path) } } catch {
            throw CommandFailure("--page: \(error)")
        }
        let person = ScriptedPerson(page: file?.page, language: language)
        do {
            let engine = try options.engine()
            let page = TerminalPage(person: person, asks: !yes, isDescribed: file != nil)
            options.show(try await engine.logIn(with: page))
        } catch let error as BenjiError {
            throw options.explained(error)
        }
    }
}

struct PhoneVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Get a token that can only answer whether a number is this phone's.")
    @OptionGroup var options: EngineOptions

    func run() async throws {
        do {
            options.show(try await options.engine().verificationToken())
        } catch let error as BenjiError {
            throw options.explained(error)
        }
    }
}

/// The authorization page in words, for a person at a terminal.
private struct TerminalPage: AuthorizationPresenter {
    /// The person who ticks and taps, on their page.
    let person: ScriptedPerson
    let asks: Bool
    /// Whether the page is that of a description.
    let isDescribed: Bool

    func present(_ offer: PageOffer) async -> PresentationOutcome {
        guard asks else { return await person.present(offer) }
        let clock = SystemWallClock()
        let shownAt = clock.now
        // The answer alone goes to standard output.
        let page = isDescribed ? described(offer) : usual(offer)
        FileHandle.standardError.write(Data(page.utf8))
        switch readLine()?.trimmingCharacters(in: .whitespaces).lowercased() {
        case "yes", "y":
            guard case .consented(var consent) = await person.present(offer) else { return .cancelled }
            consent.shownAt = shownAt
            return .consented(consent)
        case "switch": return .switchAccount
        default: return .cancelled
        }
    }

    private func usual(_ offer: PageOffer) -> String {
        let terminal = Terminal()
        return """

              \(terminal.styled(offer.maskedNumber, .bold))
              \(offer.page.slogan)

              [ 本机号码一键登录 ]      切换账号

              ☐ 登录即同意《\(offer.page.termsTitle)》并使用本机号码登录
                \(offer.page.termsURL)

            In English: the button logs in with this number, or with another account; the box agrees to the carrier's \
            terms.
            Tick the box and tap the button? Type yes to do so, switch for another account, anything else to close: 
            """
    }

    private func described(_ offer: PageOffer) -> String {
        let content = person.content(for: offer)
        let texts = content.texts.map { text in
            "  " + text.text.replacing(ConsentContent.numberPlaceholder, with: offer.maskedNumber)
        }
        let links = content.links.map { "    \($0.title)  \($0.url)" }
        let question =
            "Tick the box and tap the button? Type yes to do so, switch for another account, anything else to close: "
        return (texts + links + ["", question]).joined(separator: "\n")
    }
}
