import ArgumentParser
import Foundation
import ServerRuntime

/// The command `benji` and its subcommands.
@main
struct Benji: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benji",
        abstract: "Phone-number login that anyone can host, test and trust.",
        discussion: """
            Start with `benji demo`: three phones log in by their own numbers on this machine, without a SIM and \
            without set-up.

            Then:
              benji phone tap phone-1  log a phone of the running sandbox in
              benji sandbox app        what your own app needs to use the sandbox
              benji init               begin an installation: its folder, master key and database
              benji serve              run the service
              benji app create         register an app and get its key
              benji trace              why a login failed, step by step
              benji audit              who changed what, and why
              benji log verify         make the public log of releases and consents anew, and compare
              benji admin grant        let others give orders over HTTP, each what their role allows
              benji phone login        be a phone, from the command line
              benji explain 103902     what a result code means, and what to do
              benji doctor             find out what is wrong with an installation
              benji backup             copy the database while the server runs; benji restore brings it back
              benji store copy         move an installation from benji.sqlite to PostgreSQL
              benji keys rotate        put a new master key in the place of the present one, while the server runs
              benji bench              measure what an installation can do
              benji policy             the carriers' records; add an operator of your own
              benji page new           write an authorization page; draw and check it
              benji face evaluate      how often face matching errs on your own pictures
            """.paragraphs,
        version: ServerRelease.version,
        subcommands: [
            DemoCommand.self, InitCommand.self, ServeCommand.self, AppCommand.self, PhoneCommand.self,
            SandboxCommand.self,
            BackupCommand.self, RestoreCommand.self, MigrateCommand.self, StoreCommand.self, KeysCommand.self,
            ExplainCommand.self,
            TraceCommand.self, LedgerCommand.self, ConsentCommand.self, ReceiptCommand.self, LogCommand.self,
            AuditCommand.self,
            AdminCommand.self, RowsCommand.self, SubscriberCommand.self, GatewayCommand.self, SMSCommand.self,
            RetentionCommand.self, ReplayCommand.self,
            DoctorCommand.self, BenchCommand.self, PolicyCommand.self, PageCommand.self, FaceCommand.self,
        ])

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let mistyped = MistypedCommand.first(in: arguments, of: Self.self) {
            Terminal.note("Error: \(mistyped.problem)")
            Foundation.exit(ExitCode.validationFailure.rawValue)
        }
        func refuseMisused() {
            guard let misused = MisusedOption.first(in: arguments, of: Self.self) else { return }
            Terminal.note("Error: \(misused.text)")
            Foundation.exit(ExitCode.validationFailure.rawValue)
        }
        // A search takes longer than parsing: do it only if the parser refuses, or may have misread an option.
        if MisusedOption.mayBeTaken(in: arguments) { refuseMisused() }
        do {
            let command: any ParsableCommand
            do { command = try parseAsRoot(arguments) } catch {
                refuseMisused()
                throw error
            }
            try await run(command)
        } catch { end(error) }
    }
}
