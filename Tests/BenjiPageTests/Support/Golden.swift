import Foundation
import Testing

/// Compares a text with the file of that name in `Tests/BenjiPageTests/Golden`.
///
/// `BENJI_RECORD=1 swift test --filter BenjiPageTests` writes the files again; review them before a commit.
func expectGolden(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["BENJI_RECORD"] == "1" {
        try Data(text.utf8).write(to: file)
        return
    }
    let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    guard text != expected else { return }
    let lines = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
    let difference = lines.first { $0 != $1 }.map { "\n  is:     \($0)\n  should: \($1)" } ?? " (one is longer)"
    Issue.record("\(name) differs from the golden file\(difference)", sourceLocation: sourceLocation)
}

/// JSON with a line for each member and element, so that a change can be read.
func indented(_ json: String) -> String {
    var text = ""
    var depth = 0
    var inString = false
    var escaped = false
    func newLine() { text += "\n" + String(repeating: "  ", count: depth) }
    for character in json {
        if inString {
            text.append(character)
            if escaped {
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == "\"" {
                inString = false
            }
            continue
        }
        switch character {
        case "\"":
            inString = true
            text.append(character)
        case "{", "[":
            depth += 1
            text.append(character)
            newLine()
        case "}", "]":
            depth -= 1
            newLine()
            text.append(character)
        case ",":
            text.append(character)
            newLine()
        default: text.append(character)
        }
    }
    return text + "\n"
}
