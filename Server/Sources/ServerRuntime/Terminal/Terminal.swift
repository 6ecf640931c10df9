package import Foundation

/// Writing to a person or to a script: colour on a terminal, none in a pipe.
package struct Terminal: Sendable {
    package enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    package let isColoured: Bool

    package init(
        isColoured: Bool = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    ) {
        self.isColoured = isColoured
    }

    package func styled(_ text: String, _ styles: Style...) -> String {
        guard isColoured, !styles.isEmpty else { return text }
        return "\u{1b}[\(styles.map(\.rawValue).joined(separator: ";"))m\(text)\u{1b}[0m"
    }

    package func print(_ text: String = "") {
        Self.write(Data("\(text)\n".utf8))
    }

    /// Ends the program when its output has no reader, as SIGPIPE does where it is not ignored.
    package static func write(_ data: Data) {
        do { try FileHandle.standardOutput.write(contentsOf: data) } catch { exit(128 + SIGPIPE) }
    }

    /// Something beside the answer, on standard error, so that scripts read the answer alone.
    package static func note(_ text: String) {
        // The program continues without a reader.
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
    }

    /// "1 error", "2 errors".
    package static func counted(_ count: some BinaryInteger, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }

    /// Width on screen: a Chinese character takes two columns.
    package static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { width, scalar in
            switch scalar.value {
            case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe4f, 0xff00...0xff60,
                0xffe0...0xffe6, 0x20000...0x3fffd:
                width + 2
            default: width + (scalar.properties.generalCategory == .nonspacingMark ? 0 : 1)
            }
        }
    }

    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// Cells of a table's line, each as wide as its column. After one that is too wide the line goes on below, at the
    /// next column, so that two never run together.
    package static func row(_ cells: [(text: String, columns: Int)]) -> String {
        var line = ""
        var start = 0
        for cell in cells {
            start += cell.columns
            line += cell.text
            if width(cell.text) < cell.columns {
                line += String(repeating: " ", count: cell.columns - width(cell.text))
            } else {
                line += "\n" + String(repeating: " ", count: start)
            }
        }
        return line
    }
}
