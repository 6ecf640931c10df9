import BenjiPage

/// Rules that all scenes share.
struct PageStyle {
    var text = ""

    mutating func common(_ scene: PageScene) {
        text += """
            *{box-sizing:border-box;margin:0;padding:0}
            html{-webkit-text-size-adjust:100%;text-size-adjust:100%;background:\(Self.ground(scene))}
            .s{position:relative;overflow:hidden;margin:0 auto}
            .b,.b span{position:absolute}
            .b{border:0;background:none;color:inherit;text-align:left;text-decoration:none;appearance:none;\
            -webkit-appearance:none;font-kerning:none;text-spacing-trim:space-all;font-variant-ligatures:none;\
            letter-spacing:0;white-space:pre;overflow:visible}
            .b,.b span{font-family:"Noto Sans CJK SC","Noto Sans SC","PingFang SC","Microsoft YaHei",sans-serif}
            a{text-decoration:none}
            button{cursor:pointer}
            button:disabled{cursor:default}
            .h::after{content:"";position:absolute}
            :focus-visible{outline:3px solid #1666d9;outline-offset:2px}
            a:focus-visible{outline:none}
            a:focus-visible span{outline:3px solid #1666d9;outline-offset:1px}
            .t{border:1px solid #767676;border-radius:3px}
            .t:checked{background:#1666d9;border-color:#1666d9}
            .t:checked::before{content:"";position:absolute;inset:12% 34% 22% 34%;border:solid #fff;\
            border-width:0 2px 2px 0;transform:rotate(45deg)}
            .m{border-radius:inherit}
            .g{display:flex;align-items:center;justify-content:center;border-radius:22%;font-weight:700}
            .m{left:0;top:0;object-fit:cover;width:100%;height:100%}
            .w{border:3px solid #8e8e93;border-top-color:transparent;border-radius:50%;animation:w 1s linear infinite}
            @keyframes w{to{transform:rotate(360deg)}}
            @media (prefers-reduced-motion:reduce){.w{animation:none}.v{display:none}}

            """
    }

    /// A strip below the scene.
    mutating func extraBox() {
        text += """
            .x{position:absolute;left:0;right:0;bottom:0;height:\(Self.points(PageHTML.ExtraBox.height))px;\
            display:flex;align-items:center;gap:10px;padding:4px 20px;\
            font:13px/1.4 "Noto Sans CJK SC","Noto Sans SC","PingFang SC",\
            "Microsoft YaHei",sans-serif}
            .x label{flex:1;display:flex;align-items:center;gap:10px;min-height:48px}
            .x input{flex:none;width:20px;height:20px;accent-color:#1666d9}
            .x a{flex:none;padding:12px 0;color:inherit;text-decoration:underline}

            """
    }

    /// Small motion, which moves nothing that is measured once it is over.
    mutating func animate() {
        text += """
            @media (prefers-reduced-motion:no-preference){
            @keyframes come{from{opacity:.2}}
            @keyframes rise{from{opacity:.2;transform:translateY(48px)}}
            form:not(:has([role=dialog])){animation:come .25s ease-out}
            .b.d{animation:come .2s ease-out}
            [role=dialog]{animation:rise .3s cubic-bezier(.2,.8,.2,1)}
            button{transition:filter .15s}
            button:active{filter:brightness(.92)}
            }

            """
    }

    /// Shows one scene at a time. Later rules win, so the widest comes last. Scenes of the other appearance than the
    /// first's come after the rest, for devices that are set to it.
    mutating func choose(_ scenes: [PageScene]) {
        guard let first = scenes.first, scenes.count > 1 else { return }
        for number in scenes.indices.dropFirst() { text += ".s\(number){display:none}\n" }
        let isDark = first.appearance == .dark
        choose(order(scenes.indices.filter { (scenes[$0].appearance == .dark) == isDark }, scenes), scenes, "")
        let others = order(scenes.indices.filter { (scenes[$0].appearance == .dark) != isDark }, scenes)
        guard let other = others.first else { return }
        let scheme = "(prefers-color-scheme:" + (isDark ? "light" : "dark") + ")"
        let ground = Self.ground(scenes[other])
        text += "@media \(scheme){html{background:\(ground)}.s{display:none}.s\(other){display:block}}\n"
        choose(others, scenes, scheme + " and ")
    }

    /// The first stays in its place: it is shown when none fits.
    private func order(_ numbers: [Int], _ scenes: [PageScene]) -> [Int] {
        var order = numbers
        for index in order.indices.dropFirst() {
            var place = index
            while place > 1, scenes[order[place - 1]].screen.size.width > scenes[order[place]].screen.size.width {
                order.swapAt(place, place - 1)
                place -= 1
            }
        }
        return order
    }

    private mutating func choose(_ order: [Int], _ scenes: [PageScene], _ condition: String) {
        for number in order.dropFirst() {
            let width = PageStyle.points(scenes[number].screen.size.width)
            let orientation = scenes[number].screen.isLandscape ? "landscape" : "portrait"
            text += "@media \(condition)(min-width:\(width)px) and (orientation:\(orientation)){.s{display:none}"
            text += ".s\(number){display:block}}\n"
        }
    }

    /// Upright scenes as cards in windows that leave ground around them; the lowest makes do with little. Telephones on
    /// their side are not high enough for any and keep their own scene.
    mutating func card(_ scenes: [PageScene], extra: Double = 0) {
        guard let first = scenes.first else { return }
        for isOther in [false, true] {
            let upright = scenes.indices.filter {
                !scenes[$0].screen.isLandscape && (scenes[$0].appearance != first.appearance) == isOther
            }.sorted { scenes[$0].screen.size.height < scenes[$1].screen.size.height }
            for number in upright {
                let scene = scenes[number]
                let isDark = scene.appearance == .dark
                let scheme = isOther ? "(prefers-color-scheme:" + (isDark ? "dark" : "light") + ") and " : ""
                let width = Self.points(max(600, scene.screen.size.width + 80))
                let height = Self.points(scene.screen.size.height + extra + (number == upright[0] ? 40 : 120))
                text += "@media \(scheme)(min-width:\(width)px) and (min-height:\(height)px){"
                text += "html{background:\(isDark ? "#000" : "#f2f2f7")}"
                text += "body{min-height:100vh;display:flex;align-items:center}"
                text +=
                    ".s{--e:0px;display:none;border-radius:14px;box-shadow:0 0 0 1px #8e8e9340,0 8px 32px #0000001f}"
                text += ".s\(number){display:block}}\n"
            }
        }
    }

    /// Extends the page's background and bar to the whole window, unless that shows the page as a card.
    mutating func fill(_ scenes: [PageScene], extra: Double = 0) {
        let upright = scenes.filter { !$0.screen.isLandscape }.map(\.screen.size)
        let rule =
            ".b.f{position:fixed;inset:0;width:auto;height:auto}.s:has(.n){overflow:visible}"
            + "body:has(.n){overflow-x:clip}.b.n{left:calc(50% - 50vw);width:100vw}"
        guard let lowest = upright.min(by: { $0.height < $1.height }) else {
            text += rule + "\n"
            return
        }
        let card =
            "(min-width:\(Self.points(max(600, lowest.width + 80)))px) and "
            + "(min-height:\(Self.points(lowest.height + extra + 40))px)"
        text += "@media not all and \(card){\(rule)}\n"
    }

    /// The colour around a scene in a larger window: the page's, where its ground is one colour.
    static func ground(_ scene: PageScene) -> String {
        if let fill = scene[.background]?.fill, fill.alpha == 255, scene[.mask] == nil { return fill.text }
        return scene.appearance == .dark ? "#000" : "#f2f2f7"
    }

    static func points(_ value: Double) -> String { PageJSON.number(value)?.text ?? "0" }
}
