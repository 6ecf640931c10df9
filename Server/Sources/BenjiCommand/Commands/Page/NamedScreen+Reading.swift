import Administration
import ArgumentParser
import BenjiPage
import BenjiPageReports

extension NamedScreen {
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
