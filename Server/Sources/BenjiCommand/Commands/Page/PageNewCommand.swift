import Administration
import ArgumentParser
import BenjiPage
import BenjiPageReports
import ServerRuntime

struct PageNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a description to start from.",
        discussion: """
            It keeps every rule; put in your own terms, emblem and colours. Numbers are points. Colours are "#rrggbb", \
            "#rrggbbaa" or
            {"light": …, "dark": …}; texts are a string or {"zh-Hans": …, "zh-Hant": …, "en": …}.

            Examples:
              benji page new --out login.json
              benji page new --kind bottom-sheet --out sheet.json
              benji page new --full                 every field that has a default, with it
            """.paragraphs)

    @Option(help: "full-screen, popup or bottom-sheet.") var kind: StartPage = .fullScreen
    @Option(help: "File to write; standard output if not given.") var out: String?
    @Flag(help: "Write the defaults too.") var full = false
    @Flag(help: "Replace a file that is there.") var force = false

    func run() throws {
        let json = full ? try kind.page.json() : try PageJSON(parsing: kind.text)
        try PageOutput(path: out, replaces: force).write(json.indented + "\n")
    }
}

extension StartPage: ExpressibleByArgument {}
