import ArgumentParser
import BenjiProtocol
import Logging
import ServerRuntime
import Store
import StorePostgres

struct StoreVacuumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vacuum",
        abstract: "Remove the old versions of erased rows from PostgreSQL's tables, as their owner.",
        discussion: """
            Servers that connect as a serving role may not vacuum before PostgreSQL 17. Run this once an hour with a \
            store.postgres that names the owner of the tables. It ends the erasures of subscribers that wait for it. \
            Servers may run meanwhile. It needs neither the master key nor a data directory.

            Example:
              benji store vacuum -c owner.yaml
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let configuration = try await options.load()
        guard let postgres = configuration.postgres else {
            throw CommandFailure(
                "benji store vacuum works on PostgreSQL, and store.postgres names no database; benji serve vacuums "
                    + "benji.sqlite itself")
        }
        let left: Int
        do throws(StoreError) { left = try await vacuum(postgres) } catch { throw CommandFailure(error.detail) }
        if json { return Terminal().print(JSON.object(["unfinishedErasures": .integer(left)]).text) }
        guard left == 0 else {
            throw CommandFailure(
                "\(left) erasures are not finished: they came meanwhile, or somebody reads an earlier state; run this "
                    + "again"
            )
        }
        Terminal().print("the tables are vacuumed, and no erasure is unfinished")
    }

    /// - Returns: how many erasures are unfinished.
    private func vacuum(_ postgres: ServerConfiguration.Postgres) async throws(StoreError) -> Int {
        let store = try PostgresStore(
            postgres.parameters, connections: 1, bringingForward: false, deadlines: postgres.deadlines,
            logger: Logger(label: "benji"))
        let left: Result<Int, StoreError>
        do throws(StoreError) {
            left = .success(try await store.vacuumErased(at: SystemWallClock().now))
        } catch {
            left = .failure(error)
        }
        await store.close()
        return try left.get()
    }
}
