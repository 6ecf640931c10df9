import ArgumentParser

struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "Write, look at, check and compare the description of an authorization page.",
        discussion: """
            A description is one JSON file that says all that an app decides about its page; what is left out has its default. It needs
            no server. docs/page.md explains fields, placements and rules.

              benji page new --out login.json       a page to start from
              benji page render login.json --out login.html
              benji page lint login.json            which of the carriers' rules it breaks
              benji page diff old.json login.json   what changed: fields, boxes, findings
            """.paragraphs,
        subcommands: [PageNewCommand.self, PageRenderCommand.self, PageLintCommand.self, PageDiffCommand.self])
}
