import BenjiPage
import BenjiProtocol
import Catalogue
import Sandbox

/// The timeline as a sequence diagram. A message has a row where it was sent and, below the rows that it caused, one
/// where it was answered. Every other entry has a row where it began.
struct DiagramRow {
    enum Leg: String { case request, answer, note }

    /// Lines of life, from left to right.
    enum Lane: Int, CaseIterable {
        case phone, packetCore, gateway, authority, shop, smsc

        init(_ party: TimelineEntry.Party) {
            switch party {
            case .phone, .modem, .sandbox: self = .phone
            case .packetCore: self = .packetCore
            case .gateway: self = .gateway
            case .authority: self = .authority
            case .shop: self = .shop
            case .smsc: self = .smsc
            }
        }

        var party: TimelineEntry.Party {
            switch self {
            case .phone: .phone
            case .packetCore: .packetCore
            case .gateway: .gateway
            case .authority: .authority
            case .shop: .shop
            case .smsc: .smsc
            }
        }
    }

    let entry: TimelineEntry
    let leg: Leg

    /// Its place among the rows.
    var order: Int64 { leg == .answer ? entry.end : entry.order }

    /// In order of cause: a message, what it brought about, its answer.
    static func rows(_ entries: [TimelineEntry]) -> [DiagramRow] {
        entries.flatMap { entry -> [DiagramRow] in
            guard entry.to != nil else { return [DiagramRow(entry: entry, leg: .note)] }
            let request = DiagramRow(entry: entry, leg: .request)
            return entry.end == 0 ? [request] : [request, DiagramRow(entry: entry, leg: .answer)]
        }.sorted { $0.order < $1.order }
    }

    /// The lanes where its arrow begins and ends; the same lane twice if it is no arrow.
    var lanes: (from: Lane, to: Lane) {
        let from = entry.kind == .fault ? Self.lane(ofFault: entry) : Lane(entry.from)
        let to = entry.to.map { Lane($0) } ?? from
        return leg == .answer ? (to, from) : (from, to)
    }

    /// A fault is drawn where it happens, whichever party made it.
    private static func lane(ofFault entry: TimelineEntry) -> Lane {
        switch SandboxStep(rawValue: entry.subject) {
        case .code, .number, .redeem: entry.code.isEmpty ? .shop : .authority
        case .page, .tap, .prefetch, .authorize: entry.code.isEmpty ? .phone : .gateway
        case .attach: .packetCore
        case .connection, nil: .phone
        }
    }

    func values(_ language: Language) -> [String: Any] {
        let (from, to) = lanes
        let names = leg == .answer ? (entry.to ?? entry.from, entry.from) : (entry.from, entry.to ?? entry.from)
        let explanation = leg == .request ? nil : entry.explanation?[language]
        let isBad = leg != .request && !entry.isSuccess || leg == .answer && isRefusedByHTTP
        // That a decision succeeded, its row says by itself.
        let isPlain = leg == .note && entry.code == Situation.success.rawValue
        let hasCode = leg != .request && !entry.code.isEmpty && !isPlain
        let meaning = explanation?.meaning ?? ""
        let hasDetail = !entry.detail.isEmpty && entry.kind != .change && leg != .request
        // A message can be opened to show its bytes, or a note that they are no longer kept.
        let hasWire = leg == .request && entry.subject != "SDK" || leg == .answer
        return [
            "number": String(entry.number), "order": String(order), "kind": entry.kind.rawValue, "leg": leg.rawValue,
            "a": String(from.rawValue), "b": String(to.rawValue), "isBad": isBad,
            "usesSMSC": from == .smsc || to == .smsc,
            "isLate": min(from.rawValue, to.rawValue) >= 2, "isBack": to.rawValue < from.rawValue,
            "isArrow": from != to, "from": SandboxStrings.name(names.0)[language],
            "to": names.0 == names.1 ? "" : SandboxStrings.name(names.1)[language], "hasTo": names.0 != names.1,
            "isAnswer": leg == .answer, "words": leg == .answer ? answered : entry.words(language),
            "hasSubject": leg == .request && entry.kind == .message && entry.subject != "SDK",
            "subject": entry.subject, "hasCode": hasCode, "code": entry.code,
            "meaning": isBad ? meaning : "", "elapsed": leg == .answer ? Self.milliseconds(entry.elapsed) : "",
            "hasWire": hasWire,
            "hasMore": hasWire || explanation != nil && isBad || hasDetail || entry.trace != nil,
            "hasCause": explanation != nil && isBad, "cause": explanation?.cause ?? "",
            "remedy": explanation?.remedy ?? "", "hasDetail": hasDetail, "detail": entry.detail,
            "hasTrace": entry.trace != nil, "trace": entry.trace?.rawValue ?? "",
            "time": SandboxTemplates.time(entry.at),
        ]
    }

    private var isRefusedByHTTP: Bool { answered.hasPrefix("4") || answered.hasPrefix("5") }

    private static func milliseconds(_ elapsed: Duration?) -> String {
        elapsed.map { "\($0.wholeMilliseconds) ms" } ?? ""
    }

    /// The status line without its version: `200 OK`.
    private var answered: String {
        guard let bytes = entry.bytes, let answer = bytes.answer else { return "" }
        switch bytes.form {
        case .radius: return "Accounting-Response"
        case .text: return ""
        case .http:
            let line = answer.bytes.prefix { $0 != 0x0d }
            return String(decoding: line.drop { $0 != 0x20 }.dropFirst(), as: UTF8.self)
        }
    }
}
