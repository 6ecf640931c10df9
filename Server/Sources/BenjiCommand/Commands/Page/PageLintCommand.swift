import Administration
import ArgumentParser
import BenjiPage
import BenjiPageReports
import ServerRuntime

struct PageLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Say which rules a page breaks, why they are there, and what to do.",
        discussion: """
            A page is laid out for three carriers, in three languages, light and dark, on the screens small, phone and \
            tablet, and side
            if it turns; options narrow that. A rule that is broken is shown once, with where.

            Leaves with status 0 if no rule is broken or only some whose severity is warning, 1 if one is an error \
            (with --strict also a
            warning), 2 if a file cannot be read or is not a description, 64 if the command was written wrongly.

            Examples:
              benji page lint login.json
              benji page lint Examples/Pages/*.json --report-language en
              benji page lint login.json --screen 430x932 --safe-area 59,0,34,0 --carrier unicom --json
            """.paragraphs)

    @Argument(help: "The descriptions; - is standard input.") var files: [String]
    @OptionGroup(title: "Where to look") var range: PageRangeOptions
    @Option(
        help: """
            current: today's norms and law. documents: what GeYan's and OneLogin's documents ask. documents-own-page: \
            what TYRZSDK's document asks of \
            a page that the app draws itself. handed-views: what GeYan 3.0 asks of one whose views are handed over.
            """) var profile: PageProfile = .current
    @Option(help: "en, zh or both.") var reportLanguage: ReportLanguages = .both
    @Flag(help: "Look at the page of a login by SMS instead, which looks like it. It is held to today's rules.")
    var sms = false
    @Flag(help: "Leave with status 1 for warnings too.") var strict = false
    @Flag(
        help: """
            One JSON object a line for each file: file, digest, profile, viewings, errors, warnings, findings with \
            explanation, fix, source \
            and where; or file and error.
            """) var json = false

    func run() throws {
        let terminal = Terminal()
        var status: Int32 = 0
        for (index, path) in files.enumerated() {
            do {
                let file = try PageFile(path)
                let report = try PageFindings(
                    file.page, range.viewings(of: [file.page]), sms ? .current : profile, bySMS: sms)
                if report.count(.error) > 0 || strict && !report.entries.isEmpty { status = max(status, 1) }
                if json {
                    terminal.print(
                        PageJSON.object(
                            [
                                PageJSON.Member("file", .string(path)),
                                PageJSON.Member("digest", .string(try file.digest)),
                            ] + report.members()
                        ).text)
                } else {
                    if index > 0 { terminal.print() }
                    show(report, of: path, on: terminal)
                    terminal.print("\nThe page digest, by which it is submitted and approved: \(try file.digest)")
                }
            } catch let failure as PageFileFailure {
                status = PageFileFailure.status
                failure.tell()
                if json, case .object(let members) = failure.json {
                    terminal.print(PageJSON.object([PageJSON.Member("file", .string(path))] + members).text)
                }
            }
        }
        if status > 0 { throw ExitCode(status) }
    }

    private func show(_ report: PageFindings, of path: String, on terminal: Terminal) {
        let ways = report.viewings.count == 1 ? "in one way" : "in \(report.viewings.count) ways"
        let profile = "profile \(report.profile.rawValue), looked at \(ways)"
        guard !report.entries.isEmpty else {
            terminal.print(
                "\(terminal.styled(path, .bold)): \(terminal.styled("keeps every rule", .green)) (\(profile))")
            return
        }
        let counts = [(report.count(.error), "error"), (report.count(.warning), "warning")]
            .filter { $0.0 > 0 }.map { Terminal.counted($0.0, $0.1) }
        terminal.print("\(terminal.styled(path, .bold)): \(counts.joined(separator: ", ")) (\(profile))")
        for entry in report.entries {
            let finding = entry.finding
            let rule = finding.rule
            terminal.print()
            terminal.print(
                terminal.styled(
                    Terminal.padded(finding.severity.rawValue, to: 9), finding.severity == .error ? .red : .yellow)
                    + terminal.styled(rule.rawValue, .bold) + "  \(finding.role.rawValue)  "
                    + terminal.styled(PageViewing.summary(entry.viewings, of: report.viewings), .dim))
            for language in reportLanguage.languages {
                row(LocalizedText("原因", "why")[language], rule.explanation[language], terminal)
                row(LocalizedText("处理", "fix")[language], rule.fix[language], terminal)
            }
            row("source", rule.source, terminal)
        }
    }

    private func row(_ label: String, _ text: String, _ terminal: Terminal) {
        terminal.print("  \(terminal.styled(Terminal.padded(label, to: 7), .cyan))\(text)")
    }
}
