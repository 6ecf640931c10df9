import ArgumentParser
import BenjiPage
import ServerRuntime

struct PageDigestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest", abstract: "Print the page digest: what is approved, and what consents carry.",
        discussion: """
            SHA-256 of the description with all its defaults, in base64url: one for all carriers, languages and \
            screens. A phone that
            shows the page signs it into the consent, and the authority compares it with the digests that are approved \
            for the app.
            Spaces, the order of fields and defaults that are written out change nothing; everything else that a \
            description can say
            does. docs/page.md says what it does not cover.

            Examples:
              benji page digest login.json
              benji page digest Examples/Pages/*.json
            """.paragraphs)

    @Argument(help: "The descriptions; - is standard input.") var files: [String]

    func run() throws {
        let terminal = Terminal()
        var failed = false
        for path in files {
            do throws(PageFileFailure) {
                let file = try PageFile(path)
                // Never fails: the page has just been read.
                let digest = (try? file.digest) ?? ""
                terminal.print(files.count == 1 ? digest : "\(digest)  \(path)")
            } catch {
                failed = true
                error.tell()
            }
        }
        if failed { throw ExitCode(PageFileFailure.status) }
    }
}
