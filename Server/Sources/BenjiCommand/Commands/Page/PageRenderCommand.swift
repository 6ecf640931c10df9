import ArgumentParser
import ServerRuntime

struct PageRenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Draw a page as one HTML document or as a picture.",
        discussion: """
            The document needs nothing from elsewhere and has no script; its boxes stand where they stand on a phone. \
            With several
            screens it shows the one that fits the window. Number, terms and slogan are samples under the standard \
            policy.

            Examples:
              benji page render login.json --out login.html
              benji page render login.json --screen phone --screen side --carrier telecom --language en --out login.html
              benji page render login.json --media logo=logo.png --media waves.mp4=waves.mp4 > login.html
              benji page render login.json --out login.png     drawn by an installed Chromium
              benji page render login.json --scene             the placed boxes as JSON
            """.paragraphs)

    @Argument(help: "The description; - is standard input.") var file: String
    @OptionGroup(title: "How it is drawn") var drawing: PageDrawingOptions

    func run() throws {
        let file: PageFile
        do { file = try PageFile(self.file) } catch {
            error.tell()
            throw ExitCode(PageFileFailure.status)
        }
        try drawing.draw(file.page)
    }
}
