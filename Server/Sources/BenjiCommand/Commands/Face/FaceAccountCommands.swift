#if Face
import ServerRuntime
import Administration
import ArgumentParser
import BenjiProtocol

/// Face accounts as their operator sees them: counts and orders, never a face.
struct FaceCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "How many face accounts there are, and how often apps are authorised.")
    @OptionGroup var options: OrderOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let counts = try await options.order(CountFaceAccounts())
        if json { return Terminal().print(counts.text) }
        func count(_ name: String) -> Int64 { counts[name]?.integerValue ?? 0 }
        Terminal().print(
            "\(count("accounts")) accounts, \(count("frozen")) of them frozen, \(count("authorizations")) "
                + "authorisations"
        )
    }
}

struct FaceFreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze", abstract: "Freeze the face account of a number: nothing of it works until it is thawed.")
    @OptionGroup var given: NumberOrderOptions

    func run() async throws {
        try await given.give(FreezeFaceAccount(given.number))
        Terminal().print("the face account of \(given.number.masked) is frozen")
    }
}

struct FaceThawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thaw", abstract: "Thaw a frozen face account: everything of it works again.")
    @OptionGroup var given: NumberOrderOptions

    func run() async throws {
        try await given.give(ThawFaceAccount(given.number))
        Terminal().print("the face account of \(given.number.masked) is thawed")
    }
}

struct FaceEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase the face account of a number, for every app.",
        discussion: """
            The key that opens face, name and picture is overwritten and removed. Backups that were made before still \
            have it:
            let them expire.
            """.paragraphs)
    @OptionGroup var given: NumberOrderOptions

    func run() async throws {
        try await given.give(EraseFaceAccount(given.number))
        Terminal().print("the face account of \(given.number.masked) is erased")
    }
}
#endif
