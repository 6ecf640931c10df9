public import BenjiPage

/// The differences between two descriptions, and between their visible pages.
public struct PageComparison {
    /// A field of the canonical description; `nil` where one of them does not have it.
    public struct Field: Equatable {
        public var path: String
        public var old: PageJSON?
        public var new: PageJSON?
    }

    /// The kind of change of a box.
    public enum Change: String { case added, removed, moved, changed }

    /// Which box of a scene is meant, and what happened to it.
    public struct BoxKey: Hashable {
        public var change: Change
        public var role: PageRole
        /// Its place among the boxes of that role, from the back.
        public var number: Int
    }

    /// A box that is not the same in every way of looking.
    public struct Box {
        public var key: BoxKey
        /// Where it differs, and how it was and is there.
        public var cases: [(viewing: PageViewing, old: PageBox?, new: PageBox?)]
    }

    public let fields: [Field]
    public let boxes: [Box]
    public let gained: [PageFindings.Entry]
    public let lost: [PageFindings.Entry]
    public let viewings: [PageViewing]

    public init(_ old: PageDescription, _ new: PageDescription, _ viewings: [PageViewing], _ profile: PageProfile)
        throws(PageError)
    {
        self.viewings = viewings
        fields = Self.fields(try old.json(), try new.json(), at: "$")
        var boxes: [Box] = []
        for viewing in viewings {
            for (key, before, after) in Self.boxes(try viewing.scene(of: old), try viewing.scene(of: new)) {
                let index = boxes.firstIndex { $0.key == key } ?? boxes.endIndex
                if index == boxes.endIndex { boxes.append(Box(key: key, cases: [])) }
                boxes[index].cases.append((viewing, before, after))
            }
        }
        self.boxes = boxes
        let before = try PageFindings(old, viewings, profile).entries
        let after = try PageFindings(new, viewings, profile).entries
        gained = Self.entries(after, without: before)
        lost = Self.entries(before, without: after)
    }

    public var isSame: Bool { fields.isEmpty }

    /// The findings of `some` in the ways of looking in which `others` do not have them.
    private static func entries(_ some: [PageFindings.Entry], without others: [PageFindings.Entry]) -> [PageFindings
        .Entry]
    {
        some.compactMap { entry in
            let known = Set(others.first { $0.finding == entry.finding }?.viewings ?? [])
            let rest = entry.viewings.filter { !known.contains($0) }
            return rest.isEmpty ? nil : PageFindings.Entry(finding: entry.finding, viewings: rest)
        }
    }

    /// The differences between two values, by path.
    public static func fields(_ old: PageJSON?, _ new: PageJSON?, at path: String) -> [Field] {
        switch (old, new) {
        case (.object(let before)?, .object(let after)?):
            let names =
                before.map { $0.name } + after.map { $0.name }.filter { name in !before.contains { $0.name == name } }
            return names.flatMap { fields(old?[$0], new?[$0], at: path + "." + $0) }
        case (.array(let before)?, .array(let after)?):
            return (0..<max(before.count, after.count)).flatMap { index in
                fields(
                    before.indices.contains(index) ? before[index] : nil,
                    after.indices.contains(index) ? after[index] : nil, at: "\(path)[\(index)]")
            }
        // By bytes, as the digest: `==` takes two spellings of one character for the same.
        default: return old?.bytes == new?.bytes ? [] : [Field(path: path, old: old, new: new)]
        }
    }

    private static func boxes(_ old: PageScene, _ new: PageScene) -> [(BoxKey, PageBox?, PageBox?)] {
        var differences: [(BoxKey, PageBox?, PageBox?)] = []
        for role in PageRole.allCases {
            let before = old.boxes.filter { $0.role == role }
            let after = new.boxes.filter { $0.role == role }
            for number in 0..<max(before.count, after.count) {
                let one = before.indices.contains(number) ? before[number] : nil
                let other = after.indices.contains(number) ? after[number] : nil
                for change in changes(one, other) {
                    differences.append((BoxKey(change: change, role: role, number: number), one, other))
                }
            }
        }
        return differences
    }

    private static func changes(_ old: PageBox?, _ new: PageBox?) -> [Change] {
        switch (old, new) {
        case (nil, nil): return []
        case (nil, _?): return [.added]
        case (_?, nil): return [.removed]
        case (let old?, let new?):
            let isMoved = old.frame != new.frame
            return (isMoved ? [.moved] : []) + (old.aspects(unlike: new).isEmpty ? [] : [.changed])
        }
    }
}

extension PageBox {
    /// The differences besides the place.
    public func aspects(unlike other: PageBox) -> [String] {
        let aspects: [(name: String, isSame: Bool)] = [
            ("text", text?.text == other.text?.text), ("links", text?.links == other.text?.links),
            (
                "text style",
                text?.font == other.text?.font && text?.color == other.text?.color
                    && text?.linkColor == other.text?.linkColor && text?.isUnderlined == other.text?.isUnderlined
            ),
            ("lines", text?.lines.count == other.text?.lines.count), ("fill", fill == other.fill),
            ("image", image == other.image), ("slot", slot == other.slot), ("label", label == other.label),
            ("opacity", opacity == other.opacity),
            ("corners", cornerRadius == other.cornerRadius && corners == other.corners),
            ("tick", isTicked == other.isTicked), ("enabled", isEnabled == other.isEnabled),
            // If the box has moved, its tap area has moved with it and is no difference of its own.
            ("tap area", frame == other.frame ? hitArea == other.hitArea : (hitArea == nil) == (other.hitArea == nil)),
        ]
        return aspects.filter { !$0.isSame }.map { $0.name }
    }
}
