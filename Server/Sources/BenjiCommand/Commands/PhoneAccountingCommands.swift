import ArgumentParser
@_spi(Server) import BenjiProtocol
import RADIUS
import Sandbox
import ServerRuntime

/// The options of attach, update and detach.
struct AccountingOptions: ParsableArguments {
    @Option(help: "Where the gateway hears accounting.") var gateway: ListenAddress
    @Option(help: "The shared secret of this NAS.") var secret: String
    @Option(help: "The address to send from, which the gateway must allow.") var from: InternetAddress?
    @Option(help: "NAS-Identifier.") var nas = "benji-phone"
    @Option(help: "The phone's address.") var address: InternetAddress
    @Option(help: "Acct-Session-Id; the address if not given.") var session: String?

    @Option(help: "Seconds to wait for the answer, at most 600; each second the packet is sent again.")
    var timeout = 3

    func send(_ status: AccountingStatus, number: PhoneNumber? = nil, imsi: String? = nil) async throws {
        guard let secret = SharedSecret(secret) else { throw ValidationError("--secret: must not be empty") }
        guard (1...600).contains(timeout) else { throw ValidationError("--timeout: 1 to 600 seconds") }
        var request = AccountingRequest(status: status, sessionID: session ?? Hexadecimal.encode(address.bytes))
        request.nasIdentifier = Array(nas.utf8)
        if address.family == .v4 {
            request.framedAddress = address
        } else {
            request.framedPrefix = IPPrefix(address: address, length: 64)
        }
        request.callingStation = number?.e164
        request.imsi = imsi
        request.eventTimestamp = UInt32(clamping: SystemWallClock().now.seconds)
        request.endsSession = status == .stop
        let client = try await AccountingClient(
            gateway: gateway.host, port: gateway.port, secret: secret, source: from, tries: timeout)
        do {
            let elapsed = try await client.send(request)
            await client.close()
            Terminal().print(
                "the gateway answered in \(elapsed.wholeMilliseconds) ms; its metrics show whether it accepted the "
                    + "report"
            )
        } catch {
            await client.close()
            throw CommandFailure("\(error)")
        }
    }
}

/// The card in the phone.
struct SIMOptions: ParsableArguments {
    @Option(help: "The number, such as 13900000009.") var number: PhoneNumber
    @Option(help: "The card's IMSI, fifteen digits.") var imsi: String?
}

struct PhoneAttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach", abstract: "Tell a gateway that a phone holds an address (Accounting-Start).")
    @OptionGroup var accounting: AccountingOptions
    @OptionGroup var sim: SIMOptions

    func run() async throws { try await accounting.send(.start, number: sim.number, imsi: sim.imsi) }
}

struct PhoneUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Tell a gateway that the session goes on (Interim-Update).")
    @OptionGroup var accounting: AccountingOptions
    @OptionGroup var sim: SIMOptions

    func run() async throws { try await accounting.send(.interimUpdate, number: sim.number, imsi: sim.imsi) }
}

struct PhoneDetachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detach", abstract: "Tell a gateway that the address is free again (Accounting-Stop).")
    @OptionGroup var accounting: AccountingOptions

    func run() async throws { try await accounting.send(.stop) }
}
