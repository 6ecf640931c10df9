import Administration
import ArgumentParser
import BenjiPage
import BenjiPageHTML
import BenjiPageReports
import BenjiProtocol
import Foundation
import ServerRuntime

/// How a page is drawn: as one HTML document, as a picture, or as its placed boxes.
struct PageDrawingOptions: ParsableArguments {
    @OptionGroup(title: "The screen") var screen: PageScreenOptions
    @Option(help: "mobile, unicom, telecom or other.") var carrier: PageCarrier = .mobile
    @Option(help: "zh-Hans, zh-Hant or en.") var language: Language = .simplifiedChinese
    @Option(help: "light or dark.") var appearance: PageAppearance = .light
    @Flag(help: "With the tick set.") var ticked = false
    @Flag(help: "Draw the page of a login by SMS instead, which looks like it.") var sms = false
    @Option(
        help: ArgumentHelp(
            "An image, GIF or video (png, jpg, gif, webp, svg, mp4) under its name in the description. May be given "
                + "several times.",
            valueName: "name=file"))
    var media: [String] = []
    @Flag(help: "Write the scene as JSON instead: one object a line for each screen.") var scene = false
    @Option(help: "File to write, replacing it; standard output if not given. A name ending in .png makes a picture.")
    var out: String?
    @Option(help: "The Chromium that draws pictures, by name or path.") var browser: String?

    func validate() throws {
        guard PagePicture.isWanted(out) else {
            if browser != nil { throw ValidationError("--browser: only for pictures, --out name.png") }
            return
        }
        if scene { throw ValidationError("--scene: is JSON, and --out ends in .png") }
        if screen.screens(or: []).count > 1 { throw ValidationError("a picture shows one screen; give --screen once") }
    }

    func draw(_ page: PageDescription) throws {
        let media = try media.map(PageMedia.init)
        let viewings = screen.screens(or: [NamedScreen.known[1]]).map {
            screen.viewing($0, carrier, language, appearance)
        }
        let scenes = try viewings.map { viewing in
            sms
                ? try viewing.sceneBySMS(of: page, isTicked: ticked)
                : try viewing.scene(of: page, isTicked: ticked ? true : nil)
        }
        let output = PageOutput(path: out, replaces: true)
        if scene { return try output.write(scenes.map { $0.json.text + "\n" }.joined()) }
        var options = PageHTML.Options(nonce: Self.nonce())
        options.media = media.map { ($0.name, $0.address) }
        let set = try viewings.map { viewing in
            sms ? try viewing.sceneBySMS(of: page, isTicked: true) : try viewing.scene(of: page, isTicked: true)
        }
        let document = PageHTML(scenes, ticked: set, options).document
        guard let out, PagePicture.isWanted(out) else { return try output.write(document) }
        try PagePicture(path: out, screen: viewings[0].screen.size, browser: browser).draw(document)
    }

    /// 128 bits as base64url.
    private static func nonce() -> String {
        Base64URL.encode(SystemRandomSource().bytes(16))
    }
}

/// The file behind the name of an image, a GIF or a video.
struct PageMedia {
    let name: String
    /// A `data:` address.
    let address: String

    private static let types = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "svg": "image/svg+xml", "mp4": "video/mp4",
    ]
    /// Browsers and editors become slow beyond it.
    private static let limit = 16 << 20

    /// Reads `name=file`.
    init(_ argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw ValidationError("--media: write name=file, such as logo=logo.png") }
        name = String(parts[0])
        let path = String(parts[1])
        guard let type = Self.types[URL(fileURLWithPath: path).pathExtension.lowercased()] else {
            throw ValidationError("--media: \(path): must end in \(Self.types.keys.sorted().joined(separator: ", "))")
        }
        let bytes: [UInt8]
        do { bytes = try PageFile.bytes(path, limit: Self.limit) } catch {
            throw CommandFailure("--media: \(path): \(error.problem)")
        }
        guard bytes.count <= Self.limit else { throw CommandFailure("--media: \(path): has more than 16 MiB") }
        address = "data:\(type);base64,\(Data(bytes).base64EncodedString())"
    }
}
