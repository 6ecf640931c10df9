import ArgumentParser
import ServerRuntime

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Move an installation from benji.sqlite to PostgreSQL, and vacuum there.",
        discussion: """
            An installation begins in the file benji.sqlite of its data directory. For several servers it moves to a \
            PostgreSQL database, \
            which store.postgres names.
            """.paragraphs,
        subcommands: [StoreCopyCommand.self, StoreVerifyCommand.self, StoreVacuumCommand.self])
}
