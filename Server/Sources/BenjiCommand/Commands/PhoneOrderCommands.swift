import Administration
import ArgumentParser
import BenjiProtocol
import ServerRuntime

struct PhoneShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "What the register says of a number: its carrier, and since when its holder and SIM are known.",
        discussion: "The audit log notes that somebody looked.")
    @OptionGroup var given: NumberOrderOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let row = try await given.give(ShowNumber(given.number))
        let terminal = Terminal()
        if json { return terminal.print(row.text) }
        guard case .object(let members) = row else { return }
        for member in members {
            terminal.print(
                "\(terminal.styled(Terminal.padded(member.name, to: 16), .cyan))\(member.value.shown(as: member.name))")
        }
    }
}

struct PhoneReassignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reassign",
        abstract: "The operator's order: this number has been given to somebody else.",
        discussion: "Begins a new epoch: every credential of the old owner dies, and every app sees a new person.")
    @OptionGroup var given: NumberOrderOptions

    func run() async throws {
        let row = try await given.give(ReassignNumber(given.number))
        Terminal().print(
            "\(given.number.masked) is in epoch \(row["epoch"]?.integerValue ?? 0) now; its old owner's credentials "
                + "are dead"
        )
    }
}

struct PhonePortCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port", abstract: "The operator's order: this number has moved to another carrier.",
        discussion: "A feed cannot do it alone. The person stays the same to every app; what was earned before is dead."
    )
    @OptionGroup var given: NumberOrderOptions
    @Option(help: "The carrier's name in the policy: mobile, unicom, telecom, or another that you gave.") var carrier:
        Carrier

    func run() async throws {
        try await given.give(PortNumber(given.number, to: carrier))
        Terminal().print(
            "\(given.number.masked) is \(carrier.rawValue)'s now; its next session begins a new SIM generation")
    }
}
