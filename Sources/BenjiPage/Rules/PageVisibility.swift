/// The visible part of a box, computed from all boxes of the scene.
struct PageVisibility {
    let scene: PageScene

    /// Half a point is no difference.
    static let tolerance = 0.5
    /// A text below this contrast is as good as not there.
    static let minimumContrast = 1.5

    /// Whether all of the box that lies at `index` is seen.
    func isVisible(_ index: Int) -> Bool {
        let box = scene.boxes[index]
        let screen = PageRect(0, 0, scene.screen.size.width, scene.screen.size.height)
        guard box.frame.width >= 1, box.frame.height >= 1, box.opacity >= 0.5,
            scene.viewport.contains(box.frame, tolerance: Self.tolerance),
            screen.contains(box.frame, tolerance: Self.tolerance)
        else { return false }
        if let text = box.text, !isReadable(text, of: box, index) { return false }
        return !isCovered(box.frame, above: index)
    }

    private func isReadable(_ text: TextBlock, of box: PageBox, _ index: Int) -> Bool {
        let place = PageRect(
            box.frame.x + box.textOrigin.width, box.frame.y + box.textOrigin.height, text.width, text.height)
        guard !text.text.utf8.isEmpty, box.frame.contains(place, tolerance: Self.tolerance) else { return false }
        guard let contrast = minimumContrast(index) else { return true }
        return contrast >= Self.minimumContrast
    }

    /// Whether something is drawn over a part of the page. Another rule covers the app's views, and temporary overlays
    /// may cover anything.
    func isCovered(_ frame: PageRect, above index: Int) -> Bool {
        for other in scene.boxes[(index + 1)...] where paints(other) {
            switch other.role {
            case .custom, .hint, .loadingMask, .loading, .dialogMask, .dialog, .dialogTitle, .dialogTerms,
                .dialogAgree, .dialogDisagree:
                continue
            default: if overlaps(other.frame, frame) { return true }
            }
        }
        return false
    }

    /// Whether another box takes the taps in most of an area.
    func isTaken(_ area: PageRect, above index: Int) -> Bool {
        for other in scene.boxes[(index + 1)...] where other.role != .custom {
            guard let hit = other.hitArea, let common = hit.intersection(area) else { continue }
            if common.width * common.height > area.width * area.height / 2 { return true }
        }
        return false
    }

    func overlaps(_ first: PageRect, _ second: PageRect) -> Bool {
        guard let common = first.intersection(second) else { return false }
        return common.width > Self.tolerance && common.height > Self.tolerance
    }

    private func paints(_ box: PageBox) -> Bool {
        guard box.opacity > 0.05 else { return false }
        return box.fill.alpha > 12 || box.image != nil || box.slot != nil || box.text != nil || box.isTicked != nil
    }

    /// The least contrast of a box's text, links included; `nil` when it has none or lies on an image, of which nothing
    /// is known here.
    func minimumContrast(_ index: Int) -> Double? {
        let box = scene.boxes[index]
        guard let text = box.text, let back = backdrop(index) else { return nil }
        var color = text.color
        color.alpha = UInt8(Double(color.alpha) * max(0, min(1, box.opacity)))
        var least = color.over(back).contrast(to: back)
        if !text.links.isEmpty {
            color = text.linkColor
            color.alpha = UInt8(Double(color.alpha) * max(0, min(1, box.opacity)))
            least = min(least, color.over(back).contrast(to: back))
        }
        return least
    }

    /// The colour on which a box's text stands.
    private func backdrop(_ index: Int) -> PageColor? {
        let box = scene.boxes[index]
        guard box.image == nil, box.slot == nil else { return nil }
        var color: PageColor? = PageColor(scene.appearance == .dark ? 0x000000 : 0xffffff)
        for other in scene.boxes[..<index] where overlaps(other.frame, box.frame) && other.opacity > 0.05 {
            if other.image != nil || other.slot != nil {
                color = nil
            } else if other.fill.alpha == 255, other.opacity >= 1 {
                color = other.fill
            } else if let below = color, other.fill.alpha > 0 {
                var fill = other.fill
                fill.alpha = UInt8(Double(fill.alpha) * max(0, min(1, other.opacity)))
                color = fill.over(below)
            }
        }
        guard let below = color else { return box.fill.alpha == 255 ? box.fill : nil }
        return box.fill.over(below)
    }
}
