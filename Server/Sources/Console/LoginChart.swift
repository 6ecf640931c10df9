import Administration
import BenjiPage
import BenjiProtocol
import Catalogue
import Endpoints

/// The counts of logins, of an app or of all, as pictures: how far they came, when, on which carrier, and their
/// refusals.
///
/// Each picture is beside its figures in words, so nothing is told by colour or size alone.
struct LoginChart {
    private let steps: [JSON]
    private let stages: [JSON]
    private let since: Int64
    private let span: LoginSpan
    private let language: Language
    private let find: (String) -> String

    /// - Parameters:
    ///   - counts: what ``CountLogins`` or ``CountAllLogins`` answers.
    ///   - find: where the latest logins are that ended in a situation.
    init(_ counts: JSON, _ span: LoginSpan, _ language: Language, find: @escaping (String) -> String) {
        self.find = find
        steps = counts["steps"]?.arrayValue ?? []
        stages = counts["stages"]?.arrayValue ?? []
        since = counts["since"]?.integerValue ?? 0
        (self.span, self.language) = (span, language)
    }

    /// Whether a step that ended so was no refusal.
    static func isWell(_ situation: String) -> Bool { !Situation(rawValue: situation).isRefusal }

    var values: [String: Any] {
        let refusals = refusals
        return [
            "hasCounts": !steps.isEmpty, "stages": funnel, "chart": bars, "width": Self.width + Self.left,
            "height": Self.height + 36,
            "carriers": carriers, "hasCarriers": !carriers.isEmpty,
            "stageWords": stages.map { ["word": ConsoleStrings.stage($0["stage"]?.stringValue ?? "")[language]] },
            "refusals": refusals,
            "hasRefusals": !refusals.isEmpty,
        ]
    }

    private func count(_ step: JSON) -> Int64 { step["count"]?.integerValue ?? 0 }
    private func stands(_ step: JSON, for stage: String) -> Bool {
        step["stages"]?.arrayValue?.contains { $0.stringValue == stage } == true
    }

    /// Each stage beside the first, in percent.
    private var funnel: [[String: Any]] {
        let first = max(stages.first.map(count) ?? 0, 1)
        return stages.map { stage in
            let name = stage["stage"]?.stringValue ?? ""
            let percent = Double(count(stage)) * 100 / Double(first)
            return [
                "word": ConsoleStrings.stage(name)[language], "note": ConsoleStrings.stageNote(name)[language],
                "count": String(count(stage)), "percent": "\(Int(percent.rounded())) %",
                "width": Self.short(min(percent, 100)),
            ]
        }
    }

    /// Each carrier in a row, the one with the most requests first, and what no carrier is known of last.
    private var carriers: [[String: Any]] {
        var sums: [(carrier: String, counts: [String: Int64])] = []
        for step in steps {
            let name = step["carrier"]?.stringValue ?? ""
            let stood = step["stages"]?.arrayValue?.compactMap(\.stringValue) ?? []
            guard !stood.isEmpty else { continue }
            if !sums.contains(where: { $0.carrier == name }) { sums.append((name, [:])) }
            let place = sums.firstIndex { $0.carrier == name }!
            for stage in stood { sums[place].counts[stage, default: 0] += count(step) }
        }
        let sorted = sums.sorted {
            guard $0.carrier.isEmpty == $1.carrier.isEmpty else { return $1.carrier.isEmpty }
            return ($1.counts["asked"] ?? 0, $0.carrier) < ($0.counts["asked"] ?? 0, $1.carrier)
        }
        return sorted.map { each in
            [
                "word": ConsoleStrings.carrier(each.carrier)[language],
                "cells": Self.cells(
                    stages.map { $0["stage"]?.stringValue ?? "" }.map { ($0, each.counts[$0] ?? 0) }, language),
            ]
        }
    }

    /// The stages of a carrier or an app in a row of a table, each beside the first.
    static func cells(_ counts: [(stage: String, count: Int64)], _ language: Language) -> [[String: Any]] {
        let first = counts.first?.count ?? 0
        return counts.enumerated().map { place, each in
            let share = first == 0 ? nil : min(100, Double(each.count) * 100 / Double(first))
            return [
                "word": ConsoleStrings.stage(each.stage)[language], "count": String(each.count),
                "percent": place == 0 ? "" : share.map { "\(Int($0.rounded())) %" } ?? "",
                "width": short(share ?? 0), "hasBar": place > 0 && share != nil,
            ]
        }
    }

    /// The most frequent first.
    private var refusals: [[String: Any]] {
        struct Refused: Hashable {
            var situation: String
            var step: String
        }
        var sums: [Refused: Int64] = [:]
        for step in steps where CountLogins.isRefusal(step) {
            let refused = Refused(
                situation: step["situation"]?.stringValue ?? "", step: step["step"]?.stringValue ?? "")
            sums[refused, default: 0] += count(step)
        }
        let most = max(sums.values.max() ?? 1, 1)
        let sorted = sums.sorted {
            ($1.value, $0.key.situation, $0.key.step) < ($0.value, $1.key.situation, $1.key.step)
        }
        return sorted.map { refused, count in
            let entry = Catalogue.entry(refused.situation, in: .device)?[language]
            return [
                "situation": refused.situation, "step": ConsoleStrings.step(refused.step)[language],
                "count": String(count), "meaning": entry?.meaning ?? refused.situation, "cause": entry?.cause ?? "",
                "remedy": entry?.remedy ?? "", "width": Self.short(Double(count) * 100 / Double(most)),
                "find": find(refused.situation),
            ]
        }
    }

    // The picture of when: one bar for each hour or day, agreed from the ground up and refused on top of it.
    private static let (left, width, height): (Double, Double, Double) = (44, 716, 180)

    private var bars: [String: Any] {
        let unit: Int64 = span.unit == .hour ? 3_600_000 : 86_400_000
        var agreed = [Int64](repeating: 0, count: span.last)
        var refused = agreed
        for step in steps {
            let place = Int(((step["at"]?.integerValue ?? since) - since) / unit)
            guard agreed.indices.contains(place) else { continue }
            if stands(step, for: "agreed") { agreed[place] += count(step) }
            if CountLogins.isRefusal(step) { refused[place] += count(step) }
        }
        let most = Self.ceiling(zip(agreed, refused).map(+).max() ?? 0)
        let pitch = Self.width / Double(span.last)
        let bar = max(pitch - min(6, pitch * 0.3), 1)
        func height(_ count: Int64) -> Double { Self.height * Double(count) / Double(most) }
        let labelled = max(1, span.last / 7)
        let bars = agreed.indices.map { place -> [String: Any] in
            let x = Self.left + Double(place) * pitch + (pitch - bar) / 2
            let (good, bad) = (height(agreed[place]), height(refused[place]))
            let time = Console.time(.integer(since + Int64(place) * unit))
            let name = span.unit == .hour ? String(time.dropFirst(11).prefix(5)) : String(time.dropFirst(5).prefix(5))
            return [
                "x": Self.short(x), "width": Self.short(bar), "goodY": Self.short(Self.height - good + 8),
                "good": Self.short(good),
                "badY": Self.short(Self.height - good - bad + 8), "bad": Self.short(bad),
                "middle": Self.short(x + bar / 2),
                "label": (agreed.count - 1 - place).isMultiple(of: labelled) ? name : "",
                "title": "\(span.unit == .hour ? String(time.prefix(16)) : String(time.prefix(10))): "
                    + ConsoleStrings.bar(agreed[place], refused[place])[language],
                "agreed": String(agreed[place]), "refused": String(refused[place]),
                "time": span.unit == .hour ? String(time.prefix(16)) : String(time.prefix(10)),
            ]
        }
        return [
            "bars": bars,
            "lines": [0, most / 2, most].map { count -> [String: Any] in
                [
                    "y": Self.short(Self.height - height(count) + 8),
                    "textY": Self.short(Self.height - height(count) + 12), "count": String(count),
                ]
            },
            "summary": ConsoleStrings.bar(agreed.reduce(0, +), refused.reduce(0, +))[language],
        ]
    }

    /// An even number not below `count` that reads well beside an axis.
    private static func ceiling(_ count: Int64) -> Int64 {
        var unit: Int64 = 1
        while true {
            for step in [2, 4, 6, 10] as [Int64] where step * unit >= count { return step * unit }
            unit *= 10
        }
    }

    private static func short(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
