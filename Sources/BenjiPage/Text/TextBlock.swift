/// A text as it is drawn: broken into lines, each at its place.
public struct TextBlock: Hashable, Sendable {
    /// Part of a line in one style.
    public struct Run: Hashable, Sendable {
        /// The characters. Spaces at a line's end are kept for readers and take no width.
        public var text: String
        /// Points from the left edge of the block.
        public var x: Double
        /// Points.
        public var width: Double
        /// Which of the links this is, by its place in ``TextBlock/links``.
        public var link: Int?

        public init(text: String, x: Double, width: Double, link: Int? = nil) {
            self.text = text
            self.x = x
            self.width = width
            self.link = link
        }
    }

    /// One line.
    public struct Line: Hashable, Sendable {
        /// From left to right.
        public var runs: [Run]

        public init(runs: [Run]) { self.runs = runs }
    }

    /// A part of the text that leads somewhere.
    public struct Link: Hashable, Sendable {
        /// The tapped text.
        public var title: String
        /// Where it leads.
        public var url: String

        public init(title: String, url: String) {
            self.title = title
            self.url = url
        }
    }

    /// The size as drawn, the device's text size included.
    public var font: PageFont
    /// The colour of text outside of links.
    public var color: PageColor
    /// The colour of links.
    public var linkColor: PageColor
    /// Whether links are underlined.
    public var isUnderlined: Bool
    /// Points from one line to the next.
    public var lineHeight: Double
    /// From top to bottom.
    public var lines: [Line]
    /// In the order in which they stand in the text.
    public var links: [Link]

    public init(
        font: PageFont, color: PageColor, linkColor: PageColor, isUnderlined: Bool = false, lineHeight: Double,
        lines: [Line], links: [Link] = []
    ) {
        self.font = font
        self.color = color
        self.linkColor = linkColor
        self.isUnderlined = isUnderlined
        self.lineHeight = lineHeight
        self.lines = lines
        self.links = links
    }

    /// Everything that it says, without line breaks.
    public var text: String {
        var text = ""
        for line in lines { for run in line.runs { text += run.text } }
        return text
    }

    /// Points.
    public var height: Double { lineHeight * Double(lines.count) }

    /// The right end of the longest line, in points from the left edge of the block.
    public var width: Double {
        var width = 0.0
        for line in lines { if let last = line.runs.last { width = max(width, last.x + last.width) } }
        return width
    }
}
