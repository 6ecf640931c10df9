import ArgumentParser
import BenjiPage

/// One way in which a page is looked at: by whose subscriber, and on which screen.
struct PageViewing: Hashable, Sendable {
    /// What the person calls the screen: `phone`, `430x932`.
    var screenName: String
    /// The screen, with language and appearance.
    var screen: PageScreen
    var carrier: PageCarrier

    /// A made-up number, and what the carrier asks under the standard policy.
    var facts: PageFacts { .sample(carrier) }

    /// The page as it appears, or with its tick changed to `isTicked`.
    func scene(of page: PageDescription, isTicked: Bool? = nil) throws(PageError) -> PageScene {
        var state = PageState(of: page)
        if let isTicked { state.isTicked = isTicked }
        return try PageScene(page, facts: facts, state: state, screen: screen, measuredBy: AdvanceTable())
    }

    /// Each dimension's name and value here.
    var values: [(name: String, value: String)] {
        [
            ("screen", screenName), ("carrier", carrier.rawValue), ("language", screen.language.rawValue),
            ("appearance", screen.appearance.rawValue),
        ]
    }

    var json: PageJSON { .object(values.map { PageJSON.Member($0.name, .string($0.value)) }) }

    /// Says in few words which of `all` viewings are meant.
    static func summary(_ some: [PageViewing], of all: [PageViewing]) -> String {
        guard let first = some.first, some.count < all.count else { return "everywhere" }
        var parts: [String] = []
        var product = 1
        for (index, dimension) in first.values.enumerated() {
            let here = distinct(some.map { $0.values[index].value })
            product *= here.count
            if here.count < distinct(all.map { $0.values[index].value }).count {
                parts.append("\(dimension.name) \(here.joined(separator: ", "))")
            }
        }
        if product == some.count, !parts.isEmpty { return parts.joined(separator: "; ") }
        let example = first.values.map(\.value).joined(separator: ", ")
        return "\(some.count) of \(all.count) ways, such as \(example)"
    }

    private static func distinct(_ values: [String]) -> [String] {
        values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// A screen by name, or by its measures.
struct NamedScreen: Hashable, Sendable {
    var name: String
    var size: PageSize
    var safeArea: PageInsets

    /// What `--screen` knows: an old telephone, one of today upright and on its side, a tablet.
    static let known = [
        NamedScreen(name: "small", size: PageSize(320, 568), safeArea: PageInsets(top: 20)),
        NamedScreen(name: "phone", size: PageSize(393, 852), safeArea: PageInsets(top: 59, bottom: 34)),
        NamedScreen(name: "side", size: PageSize(852, 393), safeArea: PageInsets(left: 59, bottom: 21, right: 59)),
        NamedScreen(name: "tablet", size: PageSize(768, 1024), safeArea: PageInsets(top: 24, bottom: 20)),
    ]

    var isLandscape: Bool { size.width > size.height }

    /// Reads what follows `--screen`.
    static func read(_ text: String) throws -> NamedScreen {
        if let screen = known.first(where: { $0.name == text }) { return screen }
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1] else {
            throw ValidationError(
                "screens are \(known.map(\.name).joined(separator: ", ")), or points such as 430x932")
        }
        do { _ = try PageScreen(width, height).json() } catch {
            throw ValidationError("\(error.place.dropFirst("$screen.".count)) \(error.problem)")
        }
        return NamedScreen(name: text, size: PageSize(width, height), safeArea: PageInsets())
    }

    /// Reads what follows `--safe-area`.
    static func insets(_ text: String) throws -> PageInsets {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
        guard parts.count == 4, parts.allSatisfy({ (0...400).contains($0) }) else {
            throw ValidationError("give top,left,bottom,right in points, 0 to 400 each, such as 59,0,34,0")
        }
        return PageInsets(top: parts[0], left: parts[1], bottom: parts[2], right: parts[3])
    }
}
