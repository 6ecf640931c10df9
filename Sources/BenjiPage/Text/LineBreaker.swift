/// Breaks text into lines as browsers do for Chinese and Latin text. A line breaks between any two Chinese characters
/// and at spaces. It never breaks before a character that may not begin a line, nor behind one that may not end one.
///
/// Each line takes as much as fits. `Tests/System/pages/test_page_chromium.py` compares it with what Chromium does.
struct LineBreaker<Measure: TextMeasuring> {
    let measure: Measure
    let font: PageFont

    /// A text, and the link that it is.
    struct Piece {
        var text: String
        var link: Int?
    }

    private struct Letter {
        var scalar: Unicode.Scalar
        var width: Double
        var link: Int?
    }

    /// The lines of `pieces` when none may be wider than `limit` points; `alignment` places them within `limit`.
    func lines(
        _ pieces: [Piece], limit: Double, alignment: PageDescription.Terms.Alignment = .left
    ) -> [TextBlock.Line] {
        var letters: [Letter] = []
        for piece in pieces {
            for scalar in piece.text.unicodeScalars {
                letters.append(
                    Letter(scalar: scalar, width: measure.advance(of: scalar, font: font), link: piece.link))
            }
        }
        var lines: [TextBlock.Line] = []
        var start = 0
        var position = 0
        var x = 0.0
        while position < letters.count {
            let end = unitEnd(letters, from: position)
            var width = 0.0
            for letter in letters[position..<end] { width += letter.width }
            let visible = width - trailingSpace(letters[position..<end])
            // Sums of doubles: a text that fills its line exactly must not wrap for the last bit.
            if x + visible <= limit + Self.tolerance {
                x += width
                position = end
            } else if position > start {
                lines.append(line(letters[start..<position], limit, alignment))
                start = position
                x = 0
            } else {
                // A word wider than a whole line is broken where it must be.
                var cut = position + 1
                var used = letters[position].width
                while cut < end, used + letters[cut].width <= limit + Self.tolerance {
                    used += letters[cut].width
                    cut += 1
                }
                lines.append(line(letters[start..<cut], limit, alignment))
                start = cut
                position = cut
                x = 0
            }
        }
        if start < letters.count { lines.append(line(letters[start...], limit, alignment)) }
        return lines
    }

    private static var tolerance: Double { 0.01 }

    private func trailingSpace(_ letters: ArraySlice<Letter>) -> Double {
        var width = 0.0
        for letter in letters.reversed() {
            guard letter.scalar == " " else { break }
            width += letter.width
        }
        return width
    }

    private func line(
        _ letters: ArraySlice<Letter>, _ limit: Double, _ alignment: PageDescription.Terms.Alignment
    ) -> TextBlock.Line {
        var width = 0.0
        for letter in letters { width += letter.width }
        let room = max(0, limit - (width - trailingSpace(letters)))
        var x = alignment == .left ? 0 : alignment == .center ? room / 2 : room
        var runs: [TextBlock.Run] = []
        var first = letters.startIndex
        while first < letters.endIndex {
            var last = first
            var text = String.UnicodeScalarView()
            var runWidth = 0.0
            while last < letters.endIndex, letters[last].link == letters[first].link {
                text.append(letters[last].scalar)
                runWidth += letters[last].width
                last += 1
            }
            if last == letters.endIndex { runWidth -= trailingSpace(letters[first..<last]) }
            runs.append(TextBlock.Run(text: String(text), x: x, width: runWidth, link: letters[first].link))
            x += runWidth
            first = last
        }
        return TextBlock.Line(runs: runs)
    }

    /// Where the shortest part that begins at `start` and may not be broken ends.
    private func unitEnd(_ letters: [Letter], from start: Int) -> Int {
        var end = start + 1
        while end < letters.count {
            let before = letters[end - 1].scalar
            let after = letters[end].scalar
            let joins =
                after == " " || Self.mayNotBegin(after) || Self.mayNotEnd(before)
                || before != " " && !Self.isIdeographic(before) && !Self.isIdeographic(after)
            guard joins else { break }
            end += 1
        }
        return end
    }

    /// Chinese characters and their punctuation, full-width forms and what else may be broken anywhere.
    private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x2e80 }

    private static func mayNotBegin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "》", "）", "、", "，", "。", "！", "？", "；", "：", "」", "』", "】", "〉", "…", ")", "]", ",", ".", "!", "?",
            ";", ":", "%", "*":
            true
        default: false
        }
    }

    private static func mayNotEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "《", "（", "「", "『", "【", "〈", "(", "[": true
        default: false
        }
    }
}
