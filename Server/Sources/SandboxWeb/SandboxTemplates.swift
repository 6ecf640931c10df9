import BenjiPage
import BenjiProtocol
import Catalogue
import Endpoints
import Foundation
import Sandbox

/// The page's templates, which are in `Resources/`.
struct SandboxTemplates: Sendable {
    private let templates = PageTemplates([
        "page": PackageResources.page_mustache, "phone": PackageResources.phone_mustache,
        "timeline": PackageResources.timeline_mustache,
    ])

    func page(_ view: SandboxView, entries: [TimelineEntry]) -> String {
        var values = view.values
        values["entries"] = entries.map { Self.values($0, view.language) }
        values["last"] = String(entries.map(\.number).max() ?? 0)
        return templates.render("page", values)
    }

    func phone(_ view: SandboxView) -> String { templates.render("phone", view.values) }

    func timeline(_ entries: [TimelineEntry], _ language: Language) -> String {
        let values: [String: Any] = [
            "entries": entries.map { Self.values($0, language) }, "t": SandboxWords.all(language),
        ]
        return templates.render("timeline", values)
    }

    private static func values(_ entry: TimelineEntry, _ language: Language) -> [String: Any] {
        let explanation = entry.explanation?[language]
        let meaning = explanation?.meaning ?? SandboxWords.oauth[entry.code]?[language] ?? ""
        let elapsed = entry.elapsed.map { "\($0.wholeMilliseconds) ms" } ?? ""
        // The line itself already says that it succeeded.
        let isPlain = entry.code == Situation.success.rawValue
        let hasDetail = !entry.detail.isEmpty && entry.kind != .change
        return [
            "number": String(entry.number), "order": String(entry.order), "kind": entry.kind.rawValue,
            "time": time(entry.at),
            "isBad": !entry.isSuccess, "from": SandboxWords.name(entry.from)[language],
            "hasTo": entry.to != nil, "to": entry.to.map { SandboxWords.name($0)[language] } ?? "",
            "words": entry.words(language), "isMessage": entry.kind == .message && entry.subject != "SDK",
            "subject": entry.subject, "hasCode": !entry.code.isEmpty && !isPlain, "isPlain": isPlain,
            "summary": SandboxWords.page[entry.isSuccess ? "details" : "why", language], "code": entry.code,
            "meaning": meaning,
            "hasElapsed": !elapsed.isEmpty, "elapsed": elapsed,
            "hasMore": explanation != nil && !entry.isSuccess || hasDetail || entry.trace != nil,
            "hasCause": explanation != nil && !entry.isSuccess, "cause": explanation?.cause ?? "",
            "remedy": explanation?.remedy ?? "", "hasDetail": hasDetail, "detail": entry.detail,
            "hasTrace": entry.trace != nil, "trace": entry.trace?.rawValue ?? "",
        ]
    }

    /// The time of day on this machine, which the browser is on as well.
    private static func time(_ at: Timestamp) -> String {
        var seconds = time_t(at.milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let rest = String(at.milliseconds % 1000)
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))."
            + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
