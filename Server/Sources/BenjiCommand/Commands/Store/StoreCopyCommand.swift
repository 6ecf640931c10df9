import ArgumentParser
import BenjiProtocol
import Foundation
import ServerRuntime
import StorePostgres

struct StoreCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy benji.sqlite into the empty PostgreSQL database that store.postgres names.",
        discussion: """
            Stop benji serve first. The configuration names both: the data directory with benji.sqlite, and the \
            database in \
            store.postgres. Every row is copied and then compared, all in one transaction. If this is interrupted \
            nothing is in \
            PostgreSQL; run it again. benji.sqlite is not changed, and nobody can write to it meanwhile.

            Afterwards benji serve with the same configuration goes on in PostgreSQL: tokens that were issued before \
            are redeemed there. \
            master.key and directory.journal stay in the data directory and belong to the installation as before.

            Examples:
              benji store copy -c benji.yaml
              benji store copy -c benji.yaml --set store.postgres="host=db.example.com dbname=benji user=benji \
            sslrootcert=/etc/benji/db-ca.pem"
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let move = try StoreMove(try await options.load())
        move.configuration.announce()
        let clock = ContinuousClock()
        let began = clock.now
        let tables = try await move.copy()
        let time = clock.now - began
        let rows = tables.reduce(0) { $0 + $1.rows }
        let terminal = Terminal()
        if json {
            let answer = JSON.object([
                "database": .string(move.target.parameters.description), "rows": .integer(rows),
                "milliseconds": .integer(time.wholeMilliseconds), "tables": .array(tables.map(\.json)),
            ])
            return terminal.print(answer.text)
        }
        for table in tables where table.rows > 0 {
            terminal.print("\(terminal.styled(Terminal.padded(table.table, to: 24), .cyan))\(table.rows)")
        }
        terminal.print("\(rows) rows were copied and compared in \(time.wholeMilliseconds) ms; all are the same.")
        let named = move.configuration.options
        terminal.print(
            """
            Next: set store.postgres where benji serve reads it, if you gave it with --set; benji doctor\(named); \
            benji serve\(named).
            Make backups with pg_dump from now on, and of master.key apart from them. Then delete \
            \(move.file.databasePath)*: what is \
            erased from now on stays in it.
            """)
    }
}

struct StoreVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Compare every row of PostgreSQL with benji.sqlite, and change nothing.",
        discussion: """
            For after benji store copy and before the first start in PostgreSQL: whatever is written afterwards is a \
            difference. Ends with \
            status 1 if there is one.

            Example:
              benji store verify -c benji.yaml
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let move = try StoreMove(try await options.load())
        move.configuration.announce()
        let tables = try await move.compare()
        let isEqual = tables.allSatisfy(\.isEqual)
        let terminal = Terminal()
        if json {
            terminal.print(JSON.object(["equal": .bool(isEqual), "tables": .array(tables.map(\.json))]).text)
        } else if isEqual {
            let rows = tables.reduce(0) { $0 + $1.rows }
            terminal.print("\(rows) rows in \(tables.count) tables; all are the same.")
        } else {
            for table in tables where !table.isEqual {
                terminal.print("\(terminal.styled(Terminal.padded(table.table, to: 24), .red))\(table.findings)")
            }
            terminal.print(
                "The two are not the same. That is as it should be if a server has worked on one of them since the "
                    + "copy. If not, begin anew: "
                    + move.beginningAnew)
        }
        if !isEqual { throw ExitCode(1) }
    }
}

extension TableComparison {
    fileprivate var json: JSON {
        .object([
            "table": .string(table), "rows": .integer(rows), "rowsInPostgres": .integer(rowsOfCopy),
            "missing": .integer(missing), "added": .integer(added), "different": .integer(different),
            "columns": .array(columns.sorted().map { .string($0) }), "repeatsNumbers": .bool(repeatsNumbers),
        ])
    }

    /// The differences, for people.
    fileprivate var findings: String {
        var findings: [String] = []
        if missing > 0 { findings.append("\(missing) of \(rows) rows are not in PostgreSQL") }
        if added > 0 { findings.append("\(added) of \(rowsOfCopy) rows are in PostgreSQL alone") }
        if different > 0 {
            findings.append("\(different) rows differ (\(columns.sorted().joined(separator: ", ")))")
        }
        if repeatsNumbers { findings.append("PostgreSQL would give numbers out that were given out before") }
        return findings.joined(separator: "; ")
    }
}
