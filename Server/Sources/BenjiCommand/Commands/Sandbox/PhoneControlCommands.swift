import ArgumentParser
import BenjiProtocol
import Sandbox
import ServerRuntime

extension SandboxOptions {
    /// Shows phones, one a line.
    func show(_ phones: [JSON]) {
        let terminal = Terminal()
        guard !json else {
            for phone in phones { terminal.print(phone.text) }
            return
        }
        for phone in phones {
            func text(_ name: String) -> String { phone[name]?.stringValue ?? "-" }
            let slot = text("sim") == "dual" ? " (slot \(phone["dataSlot"]?.integerValue ?? 1))" : ""
            terminal.print(
                terminal.styled(Terminal.padded(text("id"), to: 10), .bold)
                    + Terminal.padded(text("sim") + slot, to: 16) + Terminal.padded(text("network"), to: 10)
                    + Terminal.padded(text("maskedNumber"), to: 15) + Terminal.padded(text("address"), to: 13)
                    + "proxy \(text("proxy"))  shop \(text("shop"))/")
            if let fault = phone["fault"], fault != .null {
                terminal.print(terminal.styled("          fault: \(fault.text)", .yellow))
            }
        }
    }
}

struct PhoneListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The sandbox's phones: SIM, network, mask, address, modem and shop.",
        discussion: "`proxy` is the phone's modem: chromium --proxy-server=… is then on that phone.")
    @OptionGroup var options: SandboxOptions

    func run() async throws {
        options.show(try await options.client.send("GET", "/api/phones")["phones"]?.arrayValue ?? [])
    }
}

struct PhoneAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "A new phone in the sandbox, with a card of China Mobile on mobile data.")
    @OptionGroup var options: SandboxOptions
    @Option(help: "What people call it.") var name: String?

    func run() async throws {
        let body = JSON.object(["name": name.map { .string($0) }])
        options.show([try await options.client.send("POST", "/api/phones", body)])
    }
}

struct PhoneRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a phone out of the sandbox.")
    @OptionGroup var options: SandboxOptions
    @Argument(help: "phone-1, or 1.") var phone: String

    func run() async throws { try await options.client.send("DELETE", try SandboxClient.path(of: phone)) }
}

struct PhoneSetSIMCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-sim", abstract: "Put another SIM into a phone of the sandbox.",
        discussion: """
            The old session ends and another begins, over RADIUS, with a new address.

            Examples:
              benji phone set-sim phone-1 telecom
              benji phone set-sim phone-1 dual --data-slot 2
            """.paragraphs)
    @OptionGroup var options: SandboxOptions
    @Argument(help: "phone-1, or 1.") var phone: String
    @Argument(help: "mobile, unicom, telecom, dual, unsupported or iot.") var sim: SIMTray
    @Option(help: "With two cards: which one carries data, 1 or 2.") var dataSlot: Int?

    func run() async throws {
        let body = JSON.object(["sim": .string(sim.rawValue), "dataSlot": dataSlot.map { .integer($0) }])
        options.show([try await options.client.send("PATCH", try SandboxClient.path(of: phone), body)])
    }
}

struct PhoneSetNetworkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-network", abstract: "Connect a phone of the sandbox by something else.",
        discussion: """
              cellular   mobile data (also: mobile-data): the gateway knows the address
              wifi       mobile data is off
              both       a browser takes Wi-Fi, an app with the SDK mobile data
              vpn        leaves at the tunnel's other end
              roaming    leaves in the visited network
              weak       0.7 s late, one exchange in seven lost

            Example:
              benji phone set-network phone-1 wifi
            """.paragraphs)
    @OptionGroup var options: SandboxOptions
    @Argument(help: "phone-1, or 1.") var phone: String
    @Argument(help: "cellular, wifi, both, vpn, roaming or weak.") var network: PhoneNetwork

    func run() async throws {
        let body = JSON.object(["network": .string(network.rawValue)])
        options.show([try await options.client.send("PATCH", try SandboxClient.path(of: phone), body)])
    }
}

struct PhoneSetFaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-fault", abstract: "Let something go wrong at one step of a sandbox phone's logins.",
        discussion: """
              connection   everything that leaves the phone (delay, drop)
              attach       the packet core tells the gateway who holds the address (delay, drop)
              page, tap    a browser opens the login page; its form comes back
              code         the shop's server exchanges the code
              number       it asks for the number
              prefetch, authorize, redeem   the same walk of the shop's app

            Examples:
              benji phone set-fault phone-1 page --code carrier_unsupported
              benji phone set-fault phone-1 tap --delay 3000 --times 1
              benji phone set-fault phone-1 number --drop
              benji phone clear-fault phone-1
            `benji explain --all` lists the codes.
            """.paragraphs)
    @OptionGroup var options: SandboxOptions
    @Argument(help: "phone-1, or 1.") var phone: String
    @Argument(help: "The step.") var step: SandboxStep
    @Option(help: "Answer with this code of Benji's own; the dialect spells it.") var code: String?
    @Option(help: "Delay the message by this many milliseconds.") var delay: Int?
    @Flag(help: "Lose the message.") var drop = false
    @Option(help: "How many times the fault happens; until it is cleared if not given.") var times: Int?

    func validate() throws {
        guard [code != nil, delay != nil, drop].count(where: { $0 }) == 1 else {
            throw ValidationError("give one of --code, --delay and --drop")
        }
    }

    func run() async throws {
        let kind: SandboxFault.KindName = code != nil ? .code : delay != nil ? .delay : .drop
        let fault = JSON.object([
            "step": .string(step.rawValue), "kind": .string(kind.rawValue),
            "code": code.map { .string($0) }, "milliseconds": delay.map { .integer($0) },
            "times": times.map { .integer($0) },
        ])
        options.show([
            try await options.client.send("PATCH", try SandboxClient.path(of: phone), .object(["fault": fault]))
        ])
    }
}

struct PhoneClearFaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear-fault", abstract: "Take a sandbox phone's fault away.")
    @OptionGroup var options: SandboxOptions
    @Argument(help: "phone-1, or 1.") var phone: String

    func run() async throws {
        options.show([
            try await options.client.send("PATCH", try SandboxClient.path(of: phone), .object(["fault": .null]))
        ])
    }
}
