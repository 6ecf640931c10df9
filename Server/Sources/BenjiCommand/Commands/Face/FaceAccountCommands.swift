#if Face
import ArgumentParser
import Authority
@_spi(Server) import BenjiProtocol
import FaceAccounts
import Store

/// Face accounts as their operator sees them: counts and orders, never a face.
struct FaceCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "How many face accounts there are, and how often apps are authorised.")
    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let counts = try await FaceOrder.run(options) { accounts throws in try await accounts.counts() }
        if json {
            Terminal().print(
                JSON.object([
                    "accounts": .integer(counts.accounts), "frozen": .integer(counts.frozen),
                    "authorizations": .integer(counts.bindings),
                ]).text)
        } else {
            Terminal().print(
                "\(counts.accounts) accounts, \(counts.frozen) of them frozen, \(counts.bindings) authorisations")
        }
    }
}

struct FaceFreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze", abstract: "Freeze the face account of a number: nothing of it works until it is thawed.")
    @OptionGroup var options: ConfigurationOptions
    @Option(help: "The number.") var number: PhoneNumber
    @OptionGroup var why: ReasonOptions

    func run() async throws {
        try await FaceOrder.carryOut("frozen", number, options) {
            try await $0.setFrozen(true, number, by: .machineUser("face.freeze", because: why.reason))
        }
    }
}

struct FaceThawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thaw", abstract: "Thaw a frozen face account: everything of it works again.")
    @OptionGroup var options: ConfigurationOptions
    @Option(help: "The number.") var number: PhoneNumber
    @OptionGroup var why: ReasonOptions

    func run() async throws {
        try await FaceOrder.carryOut("thawed", number, options) {
            try await $0.setFrozen(false, number, by: .machineUser("face.thaw", because: why.reason))
        }
    }
}

struct FaceEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase the face account of a number, for every app.",
        discussion: """
            The key that opens face, name and picture is overwritten and removed. Backups that were made before still have it:
            let them expire.
            """.paragraphs)
    @OptionGroup var options: ConfigurationOptions
    @Option(help: "The number.") var number: PhoneNumber
    @OptionGroup var why: ReasonOptions

    func run() async throws {
        try await FaceOrder.carryOut("erased", number, options) {
            try await $0.erase(number, by: .machineUser("face.erase", because: why.reason))
        }
    }
}

private enum FaceOrder {
    static func run<Result: Sendable>(
        _ options: ConfigurationOptions, _ body: @Sendable (FaceAccounts) async throws -> Result
    ) async throws -> Result {
        try await AppCommand.withInstallation(options) { try await body($0.faceAccounts) }
    }

    static func carryOut(
        _ done: String, _ number: PhoneNumber, _ options: ConfigurationOptions,
        _ body: @Sendable (FaceAccounts) async throws -> Bool
    ) async throws {
        guard try await run(options, body) else {
            throw CommandFailure("the holder of \(number.masked) has no face account")
        }
        Terminal().print("the face account of \(number.masked) is \(done)")
    }
}
#endif
