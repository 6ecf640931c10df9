import ArgumentParser
import BenjiPage
import BenjiPageDesign
import ServerRuntime

struct PageExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a page as Swift for the SDK, or for a vendor's view model.",
        discussion: """
            With --for swift the code makes the very same page: it has the same page digest. The view models of \
            OneLogin and GeYan cannot say
            everything; what they cannot is written to standard error. China Mobile's SDKs take no description: apps \
            draw their pages
            themselves.

            Examples:
              benji page export login.json --for swift --out LoginPage.swift
              benji page export login.json --for one-login
              benji page export login.json --for json           the description without defaults
            """.paragraphs)

    @Argument(help: "The description; - is standard input.") var file: String
    @Option(name: .customLong("for"), help: "swift, one-login, ge-yan or json.") var target: PageExport.Target = .swift
    @Option(help: "File to write; standard output if not given.") var out: String?
    @Flag(help: "Replace a file that is there.") var force = false

    func run() throws {
        let file: PageFile
        do throws(PageFileFailure) { file = try PageFile(self.file) } catch {
            error.tell()
            throw ExitCode(PageFileFailure.status)
        }
        let export = try PageExport(file.page, for: target)
        try PageOutput(path: out, replaces: force).write(export.text)
        for unsaid in export.unsaid { Terminal.note("not said: \(unsaid.path): \(unsaid.reason.english)") }
    }
}
