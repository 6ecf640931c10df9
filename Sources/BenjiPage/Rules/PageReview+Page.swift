extension PageReview {
    /// Judges sizes and contrast of the texts.
    mutating func judgeReading() {
        if let text = scene[.number]?.text, text.font.size < 16 { report(.numberSize, .number) }
        for role in [PageRole.number, .slogan, .numberField, .codeField, .sendCode, .message, .login, .terms] {
            guard let index = index(role), let contrast = visibility.minimumContrast(index) else { continue }
            // Another rule covers text that cannot be seen at all.
            if contrast >= PageVisibility.minimumContrast, contrast < 4.5 { report(.contrast, role) }
        }
        for role in [PageRole.tick, .switchAccount, .back, .close] {
            guard let hit = scene[role]?.hitArea else { continue }
            if hit.width < 24 || hit.height < 24 { report(.touchArea, role) }
        }
    }

    /// Other ways to log in, and a way to leave.
    mutating func judgeWaysOut() {
        var hasOther = isUsable(.switchAccount)
        for index in scene.boxes.indices where scene.boxes[index].role == .custom {
            let box = scene.boxes[index]
            if visibility.isVisible(index), box.hitArea != nil, !box.label.utf8.isEmpty { hasOther = true }
        }
        // By SMS is another way already.
        if !hasOther, isByNetwork { report(.otherLogin, .switchAccount) }
        let hasMask = scene.isPopup && scene.closesOnOutsideTap && index(.mask) != nil
        if !isUsable(.back), !isUsable(.close), !hasMask { report(.closable, scene.isPopup ? .close : .back) }
    }

    /// The page as a whole, and what the app put on it.
    mutating func judgePage() {
        let screen = PageRect(0, 0, scene.screen.size.width, scene.screen.size.height)
        let viewport = scene.viewport
        var isWhole = screen.contains(viewport, tolerance: 0.5) && viewport.width >= 200 && viewport.height >= 200
        if let background = scene[.background] {
            isWhole =
                isWhole && background.opacity >= 1 && background.fill.alpha == 255
                && background.frame.contains(viewport, tolerance: 0.5)
        } else {
            isWhole = false
        }
        if !isWhole { report(.opaquePage, .background) }
        for custom in scene.boxes where custom.role == .custom {
            for box in scene.boxes {
                switch box.role {
                case .back, .close, .title, .logo, .number, .slogan, .login, .switchAccount, .tick, .terms:
                    if visibility.overlaps(custom.frame, box.frame) { report(.customOverlap, box.role) }
                default: continue
                }
            }
        }
    }
}
