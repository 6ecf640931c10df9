import ArgumentParser
import Authority
@_spi(Server) import BenjiProtocol
import Sightings
import Store

struct PhoneReassignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reassign",
        abstract: "The operator's order: this number has been given to somebody else.",
        discussion: "Begins a new epoch: every credential of the old owner dies, and every app sees a new person.")
    @OptionGroup var options: ConfigurationOptions
    @Option(help: "The number.") var number: PhoneNumber
    @OptionGroup var why: ReasonOptions

    func run() async throws {
        let result = try await options.withInstallation {
            try await $0.register.reassign(
                number, at: SystemWallClock().now, by: .machineUser("number.reassign", because: why.reason))
        }
        guard let result else { throw CommandFailure("the register has never seen \(number.masked)") }
        Terminal().print("\(number.masked) is in epoch \(result.epoch) now; its old owner's credentials are dead")
    }
}

struct PhonePortCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port", abstract: "The operator's order: this number has moved to another carrier.",
        discussion: "A feed cannot do it alone. The person stays the same to every app; what was earned before is dead."
    )
    @OptionGroup var options: ConfigurationOptions
    @Option(help: "The number.") var number: PhoneNumber
    @Option(help: "The carrier's name in the policy: mobile, unicom, telecom, or another that you gave.") var carrier:
        Carrier
    @OptionGroup var why: ReasonOptions

    func run() async throws {
        let result = try await options.withInstallation {
            guard $0.configuration.policy.carriers[carrier] != nil else {
                throw CommandFailure(
                    "the policy has no carrier \(carrier.rawValue); it has \($0.configuration.policy.names)")
            }
            return try await $0.register.port(
                number, to: carrier, at: SystemWallClock().now, by: .machineUser("number.port", because: why.reason))
        }
        guard result != nil else { throw CommandFailure("the register has never seen \(number.masked)") }
        Terminal().print("\(number.masked) is \(carrier.rawValue)'s now; its next session begins a new SIM generation")
    }
}
