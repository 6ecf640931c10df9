import BenjiPage
import BenjiProtocol
import Foundation
import Sandbox
import ServerHTTP

/// The page's templates, which are in `Resources/`.
struct SandboxTemplates: Sendable {
    private let templates = PageTemplates([
        "page": PackageResources.page_mustache, "phone": PackageResources.phone_mustache,
        "timeline": PackageResources.timeline_mustache, "messages": PackageResources.messages_mustache,
        "screen": PackageResources.screen_mustache, "wire": PackageResources.wire_mustache,
        "message": PackageResources.message_mustache,
    ])

    func page(_ view: SandboxView, entries: [TimelineEntry]) -> String {
        var values = view.values
        values["rows"] = DiagramRow.rows(entries).map { $0.values(view.language) }
        values["lanes"] = DiagramRow.Lane.allCases.map { lane in
            ["place": String(lane.rawValue), "name": SandboxStrings.lane(lane)[view.language]]
        }
        values["last"] = String(entries.map(\.number).max() ?? 0)
        return templates.render("page", values)
    }

    func phone(_ view: SandboxView) -> String { templates.render("phone", view.values) }

    /// The short messages of the phone that is looked at.
    func messages(_ view: SandboxView) -> String { templates.render("messages", view.phoneValues) }

    func timeline(_ entries: [TimelineEntry], _ language: Language) -> String {
        let values: [String: Any] = [
            "rows": DiagramRow.rows(entries).map { $0.values(language) }, "t": SandboxStrings.all(language),
        ]
        return templates.render("timeline", values)
    }

    /// The screen of a drawn phone.
    func screen(_ values: [String: Any]) -> String { templates.render("screen", values) }

    /// The bytes of one direction of a message.
    ///
    /// - Parameter isWhole: as a page of its own, and not as a part of one.
    func wire(_ row: DiagramRow, _ language: Language, isWhole: Bool) -> String {
        var values = row.values(language)
        values["t"] = SandboxStrings.all(language)
        values["lang"] = language.rawValue
        values["backTo"] = row.entry.phone ?? ""
        let part = row.leg == .answer ? row.entry.bytes?.answer : row.entry.bytes?.request
        if let part, let form = row.entry.bytes?.form {
            let text = WireText(part, form)
            values["length"] =
                LocalizedText("\(part.length) 字节", part.length == 1 ? "1 byte" : "\(part.length) bytes")[
                    language]
            values["isCut"] = !part.isWhole
            values["kept"] = String(part.bytes.count)
            (values["hasHead"], values["head"]) = (!text.head.isEmpty, text.head)
            (values["hasBody"], values["body"]) = (!text.body.isEmpty, text.body)
            (values["hasJSON"], values["json"]) = (!text.json.isEmpty, text.json)
            values["hasFields"] = !text.fields.isEmpty
            values["fields"] = text.fields.map { ["name": $0.name, "value": $0.value, "bytes": $0.bytes] }
            values["isThere"] = true
        }
        return templates.render(isWhole ? "message" : "wire", values)
    }

    /// The time of day on this machine, which the browser is on as well.
    static func time(_ at: Timestamp) -> String {
        var seconds = time_t(at.milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let rest = String(at.milliseconds % 1000)
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))."
            + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
