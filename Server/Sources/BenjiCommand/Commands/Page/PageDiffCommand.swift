import ArgumentParser
import BenjiPage
import BenjiPageReports
import ServerRuntime

struct PageDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Say what changed from one description to another, and for whom.",
        discussion: """
            Shows the page digests (`benji page digest`: what is reviewed, approved, and carried by consents), the
            fields that differ in canonical form, defaults included, the boxes that were moved, changed, added or \
            removed on the
            laid-out page, and the findings of `benji page lint` that came or went. Places are left, top, width, \
            height in points.
            Spaces, order of fields and defaults that are written out change nothing.

            Leaves with status 0 if both are the same page, 1 if not, 2 if a file cannot be read or is not a \
            description, 64 if the
            command was written wrongly.

            Examples:
              benji page diff old.json new.json
              git show HEAD:login.json | benji page diff - login.json --screen phone --language en
            """.paragraphs)

    @Argument(help: "The description before; - is standard input.") var old: String
    @Argument(help: "The description after.") var new: String
    @OptionGroup(title: "Where to look") var range: PageRangeOptions
    @Option(help: "The rules: current, documents, documents-own-page or handed-views.") var profile: PageProfile =
        .current
    @Flag(help: "Print JSON: same, digests, fields, boxes, gained, lost.") var json = false

    func validate() throws {
        guard old != "-" || new != "-" else { throw ValidationError("only one of them can be standard input") }
    }

    func run() throws {
        let before: PageFile
        let after: PageFile
        do {
            before = try PageFile(old)
            after = try PageFile(new)
        } catch {
            error.tell()
            if json { Terminal().print(error.json.text) }
            throw ExitCode(PageFileFailure.status)
        }
        let comparison = try PageComparison(
            before.page, after.page, range.viewings(of: [before.page, after.page]), profile)
        let digests = (try before.digest, try after.digest)
        let terminal = Terminal()
        if json {
            terminal.print(comparison.json(digests).text)
        } else {
            terminal.print("\(terminal.styled("- \(digests.0)  \(old)", .red))")
            terminal.print("\(terminal.styled("+ \(digests.1)  \(new)", .green))")
            for line in comparison.lines { terminal.print(line) }
        }
        if !comparison.isSame { throw ExitCode(1) }
    }
}
