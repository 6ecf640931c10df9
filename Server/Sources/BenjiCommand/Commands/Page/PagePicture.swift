import ArgumentParser
import BenjiPage
import Foundation
import ServerRuntime

/// A drawn page as a picture, taken by a Chromium without a window.
struct PagePicture {
    /// Where the picture goes.
    let path: String
    let screen: PageSize
    /// A program's name or path; `nil` takes an installed one.
    let browser: String?

    /// The names under which systems install it.
    private static let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]
    /// Chromium makes no window narrower than this.
    private static let minimumWidth = 500.0
    /// Seconds that a browser may take.
    private static let limit = 60.0

    static func isWanted(_ path: String?) -> Bool {
        path.map { URL(fileURLWithPath: $0).pathExtension.lowercased() == "png" } ?? false
    }

    /// Two pixels a point, as phones have them; more where the screen is narrower than a window can be, one where it is
    /// very large.
    private var scale: Double {
        if max(screen.width, screen.height) > 4000 { return 1 }
        return max(2, (Self.minimumWidth / screen.width).rounded(.up))
    }

    func draw(_ document: String) throws {
        let program = try program()
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("benji-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: place) }
        let frame = place.appendingPathComponent("frame.html")
        try Data(framed(document).utf8).write(to: frame)
        let picture = place.appendingPathComponent("picture.png")
        let said = try run(
            program,
            [
                "--headless", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking",
                "--user-data-dir=\(place.path)/profile", "--virtual-time-budget=3000",
                "--window-size=\(Int(screen.width * scale)),\(Int(screen.height * scale))",
                "--screenshot=\(picture.path)",
                // Chromium refuses its sandbox to root; the document has no script and nothing from elsewhere.
            ] + (getuid() == 0 ? ["--no-sandbox"] : []) + [frame.absoluteString], in: place)
        guard let bytes = try? Data(contentsOf: picture), !bytes.isEmpty else {
            throw CommandFailure("\(program) drew nothing: \(said.suffix(500))")
        }
        do { try bytes.write(to: URL(fileURLWithPath: path)) } catch {
            throw CommandFailure("\(path) cannot be written: \(CommandFile.writingProblem(path))")
        }
    }

    /// The document in a frame of the screen's size, which a window need not have.
    private func framed(_ document: String) -> String {
        let escaped = document.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(
            of: "\"", with: "&quot;")
        return """
            <!doctype html><meta charset=utf-8><style>body{margin:0;overflow:hidden}iframe{border:0;display:block;\
            transform-origin:0 0;transform:scale(\(Int(scale)))}</style>\
            <iframe width="\(Int(screen.width))" height="\(Int(screen.height))" srcdoc="\(escaped)"></iframe>
            """
    }

    private func program() throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        for name in browser.map({ [$0] }) ?? Self.names {
            let paths = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
            if let path = paths.first(where: FileManager.default.isExecutableFile) { return path }
        }
        guard let browser else {
            throw CommandFailure(
                "no Chromium is installed, which draws pictures: apt-get install chromium; or name one with --browser, "
                    + "or write "
                    + "HTML: --out page.html")
        }
        throw CommandFailure("--browser: there is no program \(browser)")
    }

    /// Returns the program's output on standard error.
    private func run(_ program: String, _ arguments: [String], in place: URL) throws -> String {
        let said = place.appendingPathComponent("said")
        _ = FileManager.default.createFile(atPath: said.path, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: said)
        do { try process.run() } catch { throw CommandFailure("\(program) cannot be started: \(error)") }
        let end = Date(timeIntervalSinceNow: Self.limit)
        while process.isRunning, Date() < end { usleep(20_000) }
        guard !process.isRunning else {
            process.terminate()
            throw CommandFailure("\(program) did not finish within \(Int(Self.limit)) seconds")
        }
        return String(decoding: (try? Data(contentsOf: said)) ?? Data(), as: UTF8.self)
    }
}
