import Authority
import BenjiPage
import BenjiProtocol
import Catalogue
import Endpoints
import Requests

/// One login as a sequence diagram: a list in order of time. Each step is in its party's lane, or between two.
struct LoginStory {
    private let trace: JSON
    private let id: AppID
    private let language: Language

    /// - Parameter trace: what ``ShowTrace`` answers.
    init(_ trace: JSON, _ id: AppID, _ language: Language) {
        (self.trace, self.id, self.language) = (trace, id, language)
    }

    /// The lanes, from left to right.
    private enum Lane: Int, CaseIterable {
        case phone, gateway, authority, server

        var word: LocalizedText {
            switch self {
            case .phone: LocalizedText("手机", "Phone")
            case .gateway: LocalizedText("网关", "Gateway")
            case .authority: LocalizedText("认证服务", "Authority")
            case .server: LocalizedText("应用服务器", "App's server")
            }
        }
    }

    var values: [String: Any] {
        let events = trace["events"]?.arrayValue ?? []
        let first = events.first?["at"]?.integerValue ?? 0
        let steps = events.map { step($0, since: first) }
        let entry = Catalogue.entry(trace["outcome"]?["situation"]?.stringValue ?? "", in: .device)?[language]
        let story: [String: Any] = [
            "id": id.rawValue, "trace": trace["trace"]?.stringValue ?? "", "at": Console.time(.integer(first)),
            "cause": entry?.cause ?? "", "remedy": entry?.remedy ?? "",
            "lanes": Lane.allCases.map { ["word": $0.word[language]] }, "steps": steps,
        ]
        return story.merging(Self.outcome(trace["outcome"] ?? .null, language)) { $1 }
    }

    /// How a login went, in a list or above its story.
    ///
    /// - Parameter outcome: `step` and `situation`, and in `then` a refusal that followed an answer.
    static func outcome(_ outcome: JSON, _ language: Language) -> [String: Any] {
        func step(_ told: JSON?) -> (word: String, situation: String, meaning: String) {
            let situation = told?["situation"]?.stringValue ?? ""
            return (
                ConsoleStrings.step(told?["step"]?.stringValue ?? "")[language], situation,
                Catalogue.entry(situation, in: .device)?[language].meaning ?? situation
            )
        }
        let (decisive, then) = (step(outcome), step(outcome["then"]))
        return [
            "step": decisive.word, "situation": decisive.situation, "meaning": decisive.meaning,
            "isWell": LoginChart.isWell(decisive.situation), "hasThen": outcome["then"] != nil, "thenStep": then.word,
            "thenSituation": then.situation, "thenMeaning": then.meaning,
        ]
    }

    private func step(_ event: JSON, since first: Int64) -> [String: Any] {
        // Phones and apps' servers have a hand in details.
        func text(_ name: String) -> String { event[name]?.stringValue?.printable ?? "" }
        let (from, to) = Self.way(text("party"), text("step"))
        let isWell = LoginChart.isWell(text("situation"))
        let entry = isWell ? nil : Catalogue.entry(text("situation"), in: .device)?[language]
        let consent = text("step") == "consent" ? ConsentDetail(text("detail")) : nil
        let time = (event["at"]?.integerValue ?? first) - first
        let (low, high) = (min(from.rawValue, to.rawValue), max(from.rawValue, to.rawValue))
        return [
            "time": time < 10_000 ? "+\(time) ms" : "+\(time / 1000) s",
            "who": from == to ? from.word[language] : "\(from.word[language]) → \(to.word[language])",
            "word": ConsoleStrings.step(text("step"))[language], "step": text("step"),
            "detail": consent.map { ConsoleStrings.tapped($0)[language] } ?? text("detail"),
            "isEnglish": consent == nil, "hasDetail": !text("detail").isEmpty, "situation": text("situation"),
            "isBad": !isWell,
            "meaning": entry?.meaning ?? "", "cause": entry?.cause ?? "", "remedy": entry?.remedy ?? "",
            "hasMeaning": entry != nil, "place": "from-\(low) to-\(high)", "isArrow": from != to,
            "isBack": from.rawValue > to.rawValue,
        ]
    }

    /// From whom to whom a step goes; both are the same where somebody did it alone.
    private static func way(_ party: String, _ step: String) -> (Lane, Lane) {
        switch party {
        case "gateway": (.gateway, .gateway)
        case "device": (.phone, .phone)
        case "app-server": (.server, .authority)
        // The gateway brings what phones ask.
        default: (.phone, .authority)
        }
    }
}
