import ArgumentParser
import Authority
import Foundation
import PKCS11
import ServerRuntime
import StorePostgres

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Begin an installation: make its folder, master key and database.",
        discussion: """
            `benji serve` does the same when its folder is empty; this is for whoever wants to register apps, or back \
            the key up,
            before the first start. An installation that is there already is left alone.

            Example:
              benji init -c benji.yaml
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let configuration = try await options.load()
        guard configuration.role != .gateway else {
            throw CommandFailure("a gateway needs no installation: it keeps a journal that benji serve makes")
        }
        guard try !configuration.hasDatabase else {
            let place =
                configuration.postgres == nil ? configuration.absoluteDataDirectory : configuration.databaseName
            throw CommandFailure("there is an installation in \(place) already; nothing was changed")
        }
        configuration.announce()
        let make = { try await Installation.use(configuration, beginning: true, finishing: true) { _ in } }
        if configuration.postgres == nil {
            try await make()
        } else {
            // This node's heartbeat is of another database.
            try await PostgresStore.setHeartbeatAside(in: configuration.dataDirectory, while: make)
        }
        let terminal = Terminal()
        let file = "\(configuration.absoluteDataDirectory)/\(DataDirectory.database)"
        terminal.print("database: \(configuration.postgres == nil ? file : configuration.databaseName)")
        if let role = configuration.postgres?.servingRole {
            terminal.print("serving role: \(role), which benji serve is to connect as")
        }
        let environment = ProcessInfo.processInfo.environment
        if MasterKeySource.isGiven(environment),
            let source = try MasterKeySource.find(configuration, environment: environment)
        {
            terminal.print("master key: from \(source.name); it must be there at every start")
        } else {
            let path = configuration.absoluteMasterKeyPath
            if let wrappingKey = configuration.wrappingKey, try !MasterKeyFile(path: path).holdsClearKey() {
                terminal.print("master key: \(path), wrapped by \(wrappingKey.name)")
                return terminal.print(
                    "Back the key up now, and the HSM by its own means: without either of them the database is lost.")
            }
            terminal.print("master key: \(path)")
        }
        terminal.print("Back the key up now, apart from the database: without it the database is lost.")
    }
}
