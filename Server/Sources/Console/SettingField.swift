import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Foundation
import Requests

/// The changes of several fields, of which only an operator may order some.
protocol FormChanges: Sendable {
    init()
    var operatorsPart: String? { get }
}

extension AppChanges: FormChanges {}
extension OpenIDClientChanges: FormChanges {}

/// The value typed into a field, with the value that the page showed. An order names the difference alone, so that
/// other people's changes in between stay.
struct FieldChange: Sendable {
    var was: [String]
    var typed: [String]

    var list: ListChange {
        ListChange(adding: typed.filter { !was.contains($0) }, removing: was.filter { !typed.contains($0) })
    }
    var text: String { typed.first ?? "" }
    var isOn: Bool { !typed.isEmpty }

    func number(_ name: String) throws(Refusal) -> Int64 {
        guard let number = Int64(text) else {
            throw Refusal(.parameterInvalid, "\(name): must be a whole number")
        }
        return number
    }
}

enum FieldKind: Sendable {
    case text, number, toggle
    /// One a line.
    case lines
    /// One of these words.
    case choice([String])
    /// Any of these words.
    case choices([String])
    /// A long text that is not shown again and is named by its digest. States whether it can be removed here.
    case sealed(canRemove: Bool)
    /// A picture, which the page's script turns into base64.
    case picture
}

/// One field of a form: the value that it shows, and how it applies the value that was typed.
struct SettingField<Changes: FormChanges>: Sendable {
    let name: String
    let help: LocalizedText
    let kind: FieldKind
    /// The present values, as a page shows them.
    let present: @Sendable (JSON) -> [String]
    let apply: @Sendable (inout Changes, FieldChange) throws(Refusal) -> Void

    /// Whether this caller could change it from what it is: a developer decides about some of an app, and the order
    /// says about what.
    func mayChange(_ thing: JSON, _ caller: Caller) -> Bool {
        guard caller.role == .developer else { return true }
        let present = present(thing)
        let other: [String] =
            switch kind {
            case .toggle: present.isEmpty ? ["true"] : []
            case .number: ["1"]
            case .choice(let words), .choices(let words): words.filter { !present.contains($0) }
            case .text, .lines, .sealed: ["x"]
            case .picture: ["AAAA"]
            }
        var changes = Changes()
        guard (try? apply(&changes, FieldChange(was: present, typed: other))) != nil else { return false }
        return changes.operatorsPart == nil
    }

    /// Adds what a form says of this field, if the form has it and it is not as it was.
    func read(_ visit: ConsoleVisit, into changes: inout Changes) throws(Refusal) {
        guard let shown = visit.field("was.\(name)") else { return }
        let was = lines(shown)
        var typed = typed(visit)
        if case .sealed = kind {
            // A value stays unless its box for removal is ticked.
            let removed = visit.fields("remove.\(name)")
            typed += was.filter { !removed.contains($0) }
        }
        guard was != typed else { return }
        try apply(&changes, FieldChange(was: was, typed: typed))
    }

    private func typed(_ visit: ConsoleVisit) -> [String] {
        switch kind {
        case .lines: lines(visit.text(name))
        case .choices: visit.fields(name)
        case .toggle: visit.field(name) == nil ? [] : ["true"]
        case .text, .number, .choice, .sealed, .picture: visit.text(name).isEmpty ? [] : [visit.text(name)]
        }
    }

    private func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// For the template `field`.
    ///
    /// - Parameters:
    ///   - isOpen: whether it can be changed.
    ///   - isSent: whether the visit's form is shown again, with the text that was typed.
    func values(_ thing: JSON, _ visit: ConsoleVisit, isOpen: Bool, isSent: Bool = false) -> [String: Any] {
        let present = present(thing)
        let isSent = isSent && visit.field("was.\(name)") != nil
        var shown = present
        if isSent {
            switch kind {
            case .choices, .toggle: shown = visit.fields(name)
            default: shown = [visit.field(name) ?? ""]
            }
        }
        var values: [String: Any] = [
            "name": name, "help": help[visit.language], "isOpen": isOpen,
            "was": isSent ? visit.field("was.\(name)") ?? "" : present.joined(separator: "\n"),
            "value": shown.joined(separator: "\n"), "rows": String(min(12, max(2, shown.count + 1))),
            "present": present.isEmpty ? "–" : present.joined(separator: ", ").printable, "isOn": !shown.isEmpty,
        ]
        func words(_ words: [String]) -> [[String: Any]] {
            words.map { ["word": $0, "isOn": shown.contains($0)] }
        }
        switch kind {
        case .text: values["isText"] = true
        case .number: values["isNumber"] = true
        case .toggle:
            values["isToggle"] = true
            values["present"] = ConsoleStrings.page[present.isEmpty ? "no" : "yes"]?[visit.language]
        case .lines: values["isLines"] = true
        case .choice(let all): (values["isChoice"], values["words"]) = (true, words(all))
        case .choices(let all): (values["isChoices"], values["words"]) = (true, words(all))
        case .sealed(let canRemove):
            values["isSealed"] = true
            values["value"] = isSent ? visit.field(name) ?? "" : ""
            values["kept"] = present.map { ["digest": $0, "canRemove": canRemove] as [String: Any] }
        case .picture: values["isPicture"] = true
        }
        return values
    }
}
