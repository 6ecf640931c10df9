import BenjiProtocol
import Catalogue
import Endpoints

extension CatalogueEntry {
    /// For `benji explain --json`.
    var json: JSON {
        let uses = ResultCodes.uses(of: code, in: table)
        return .object([
            "dialect": .string(table.dialect.rawValue), "table": .string(table.rawValue), "code": .string(code),
            "version": .string(version), "source": .string(table.source[.english]),
            "situations": .array(uses.map { .string($0.situation.rawValue) }),
            "uses": .array(table == .device ? [] : uses.map(\.json)), "zh": self[.simplifiedChinese].json,
            "en": self[.english].json,
        ])
    }
}

extension Explanation {
    fileprivate var json: JSON {
        .object(["meaning": .string(meaning), "cause": .string(cause), "remedy": .string(remedy)])
    }
}

extension CodeColumn.Use {
    /// `null` among the carriers and the steps stands for one that is not known yet; an empty array for all.
    fileprivate var json: JSON {
        .object([
            "situation": .string(situation.rawValue),
            "carriers": .array(carriers.map { carrier in carrier.map { .string($0.rawValue) } ?? .null }),
            "steps": .array(steps.map { step in step.map { .string($0.rawValue) } ?? .null }),
            "note": note.map { .string($0) } ?? .null,
        ])
    }
}
