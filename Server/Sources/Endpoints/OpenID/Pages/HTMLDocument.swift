import BenjiPage
import BenjiPageHTML

/// A small page of ours: text in, HTML out, every text escaped. No script, and nothing from anywhere else.
struct HTMLDocument {
    private(set) var body = ""
    let language: Language
    let title: String

    /// - Parameters:
    ///   - app: the name of the app whose login it is.
    ///   - logo: the address of its logo, on this host.
    init(_ language: Language, title: String, app: String? = nil, logo: String? = nil, icon: NoticeIcon? = nil) {
        self.language = language
        self.title = title
        if let icon { body += "<p class=\"emblem\">\(icon.markup)</p>\n" }
        if let logo { void("img", ["class": "logo", "alt": "", "src": logo]) }
        if let app { element("p", app, ["class": "app"]) }
        element("h1", title)
    }

    mutating func element(_ name: String, _ text: String, _ attributes: KeyValuePairs<String, String> = [:]) {
        body += "<\(name)\(Self.written(attributes))>\(PageHTML.escaped(text))</\(name)>\n"
    }

    mutating func list(_ items: [String]) {
        body += "<ul>\n"
        for item in items { element("li", item) }
        body += "</ul>\n"
    }

    /// An element without content: `input`.
    mutating func void(_ name: String, _ attributes: KeyValuePairs<String, String>) {
        body += "<\(name)\(Self.written(attributes))>\n"
    }

    mutating func nested(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ content: (inout HTMLDocument) -> Void
    ) {
        body += "<\(name)\(Self.written(attributes))>\n"
        content(&self)
        body += "</\(name)>\n"
    }

    private static func written(_ attributes: KeyValuePairs<String, String>) -> String {
        attributes.map { $0.value.isEmpty ? " \($0.key)" : " \($0.key)=\"\(PageHTML.escaped($0.value))\"" }.joined()
    }

    static func policy(
        nonce: String, formTargets: [String] = [], frameAncestors: [String] = [], showsLogo: Bool = false
    ) -> String {
        let ancestors = frameAncestors.isEmpty ? "'none'" : frameAncestors.joined(separator: " ")
        let images = showsLogo ? "img-src 'self'; " : ""
        let targets = (["'self'"] + formTargets).joined(separator: " ")
        return "default-src 'none'; style-src 'nonce-\(nonce)'; \(images)form-action \(targets); base-uri 'none'; "
            + "frame-ancestors \(ancestors)"
    }

    func document(nonce: String) -> String {
        """
        <!doctype html>
        <html lang="\(language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <meta name="referrer" content="no-referrer">
        <meta name="color-scheme" content="light dark">
        <title>\(PageHTML.escaped(title))</title>
        <style nonce="\(nonce)">
        \(Self.style)
        </style>
        </head>
        <body>
        <main>
        \(body)</main>
        </body>
        </html>

        """
    }

    private static let style = """
        :root{--ground:#f2f2f7;--sheet:#fff;--ink:#1c1c1e;--soft:#5b5b60;--line:#c6c6c8;--accent:#1666d9;--wrong:#b3261e}
        @media (prefers-color-scheme:dark){:root{--ground:#000;--sheet:#1c1c1e;--ink:#f2f2f7;--soft:#aeaeb2;\
        --line:#48484a;--accent:#5a9bf6;--wrong:#ff8a80}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%;background:var(--ground);color:var(--ink)}
        body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:16px;\
        font:17px/1.55 "Noto Sans CJK SC","Noto Sans SC","PingFang SC","Microsoft YaHei",system-ui,sans-serif}
        main{width:100%;max-width:440px;background:var(--sheet);border-radius:14px;padding:28px 24px}
        .emblem{display:flex;align-items:center;justify-content:center;width:56px;height:56px;margin:0 0 16px;\
        border-radius:50%;background:var(--ground);color:var(--accent)}
        .icon{display:block}
        .logo{display:block;width:48px;height:48px;margin:0 0 12px;border-radius:10px;object-fit:contain}
        .app{margin:0 0 2px;color:var(--soft);font-size:15px;font-weight:600;overflow-wrap:anywhere}
        h1{font-size:22px;line-height:1.35;margin:0 0 12px;text-wrap:balance}
        p{margin:0 0 14px;text-wrap:pretty}
        ul{margin:0 0 20px;padding-left:22px}
        li{margin-bottom:6px}
        main>:last-child{margin-bottom:0}
        .soft{color:var(--soft);font-size:14px}
        .wrong{color:var(--wrong)}
        .actions{display:flex;flex-direction:column;gap:10px;margin-top:20px}
        .button{display:block;width:100%;min-height:48px;padding:11px 16px;border:1px solid var(--accent);\
        border-radius:8px;background:var(--accent);color:var(--sheet);font:inherit;text-align:center;\
        text-decoration:none;cursor:pointer}
        .button.plain{background:none;color:var(--accent)}
        :focus-visible{outline:3px solid var(--accent);outline-offset:3px}
        .number input:focus-visible{outline-offset:0}
        dl{margin:0 0 16px;overflow-wrap:anywhere}
        dt{color:var(--soft);font-size:14px}
        dd{margin:0 0 10px;font-family:ui-monospace,monospace;font-size:15px}
        .number{display:flex;align-items:center;justify-content:center;gap:10px;margin:20px 0;font-size:26px;\
        font-weight:700;font-variant-numeric:tabular-nums}
        .number input{width:5.2em;height:52px;border:1px solid var(--soft);border-radius:8px;background:none;\
        color:inherit;font:inherit;text-align:center;letter-spacing:.12em}
        @media (max-width:359px),(max-height:420px){.emblem,.logo{float:right;margin:0 0 4px 12px}}
        @media (max-width:359px){.number{gap:6px;font-size:22px}}
        @media (max-height:420px) and (min-width:500px){main{max-width:560px;padding:16px 24px}.number{margin:12px 0}\
        ul{margin-bottom:12px}.actions{flex-direction:row;margin-top:12px}}
        """
}
