import ArgumentParser
import ServerRuntime

struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Write, check and compare the description of an authorization page, and have it reviewed.",
        discussion: """
            A description is one JSON file that says all that an app decides about its page; what is left out has its \
            default. It needs
            no server. docs/page.md explains fields, placements and rules.

              benji page new --out login.json       a page to start from
              benji page render login.json --out login.html
              benji page lint login.json            which of the carriers' rules it breaks
              benji page diff old.json login.json   what changed: fields, boxes, findings
              benji page digest login.json          what is approved, and what consents carry
              benji page design login.json          all of it in a browser
              benji page export login.json          as Swift for the SDK, or for a vendor's view model

            Pages can be reviewed before people see them: a developer submits, an operator looks and decides, and from \
            the first approval
            on phones log in on approved pages only. A changed page is another page.

              benji page submit 300000000001 login.json
              benji page reviews                    what waits for a decision
              benji page show 7                     one submission and what the rules found
              benji page show 7 --out login.png     a picture of it
              benji page approve 7
              benji page refuse 7 --reason "the terms are too small"
              benji page withdraw 7 --reason "complaints"
            """.paragraphs,
        subcommands: [
            PageNewCommand.self, PageRenderCommand.self, PageLintCommand.self, PageDiffCommand.self,
            PageDigestCommand.self, PageDesignCommand.self, PageExportCommand.self, PageReviewCommands.Submit.self,
            PageReviewCommands.Reviews.self,
            PageReviewCommands.Show.self, PageReviewCommands.Approve.self, PageReviewCommands.Refuse.self,
            PageReviewCommands.Withdraw.self,
        ])
}
