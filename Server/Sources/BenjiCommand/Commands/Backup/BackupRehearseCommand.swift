import ArgumentParser
import BenjiProtocol
import Foundation
import ServerRuntime

struct BackupRehearseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse", abstract: "Serve a copy of a backup on free ports and let a virtual phone log in.",
        discussion: """
            The phone attaches with the number of a subscriber of the backup, or with one of its own if there is none, \
            logs in for
            an app that is made in the copy, and the app's server redeems the token. All of it is on this machine's \
            loopback and
            in a temporary folder, which is removed. Nothing of the backup or of the installation is touched.

            Example:
              benji backup rehearse -c benji.yaml /backup/benji-2026-11-22.sqlite
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Argument(help: ArgumentHelp("The backup.", valueName: "file")) var file: String
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "Where the copy is made; the system's temporary folder if not given.", valueName: "folder"))
    var scratch: String?
    @OptionGroup var keys: MasterKeyFileOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let configuration = try await options.load()
        let report = try await BackupFile(file, keyFiles: keys.files).examine(configuration, scratch: scratch)
        let findings = try await Rehearsal(
            configuration: configuration, file: file, scratch: scratch, keys: report.keys.forCopy
        ).perform()
        if json {
            guard case .object(let members) = report.json else { return }
            let found = findings.map { JSON.Member($0.name, .string($0.text)) }
            Terminal().print(JSON.object(members + [.init("rehearsal", .object(found))]).text)
        } else {
            report.show(asJSON: false)
            let terminal = Terminal()
            for finding in findings {
                terminal.print("\(terminal.styled(Terminal.padded(finding.name, to: 15), .cyan))\(finding.text)")
            }
            terminal.print("The backup can be served. The copy was removed.")
        }
        if !report.rowProblems.isEmpty { throw ExitCode(1) }
    }
}
