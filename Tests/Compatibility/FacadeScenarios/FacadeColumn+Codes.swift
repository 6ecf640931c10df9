package import BenjiTesting
import OneTapShell

extension FacadeColumn {
    /// Every code that a carrier can cause: each way in which a request can end, for each carrier, asking for number
    /// and token. Each code has the endings that led to it.
    ///
    /// - Parameter path: where the code is in a dictionary of this facade, from outside in.
    package func codesMet(at path: String...) async -> [String: Set<MagicNumber.Ending>] {
        var met: [String: Set<MagicNumber.Ending>] = [:]
        for range in ["138", "130", "189"] {
            for (step, acts) in [("10", [Scenario.Act.prefetch]), ("20", [.prefetch, .enter])] {
                for ending in MagicNumber.Ending.allCases {
                    let tail = ending.rawValue < 10 ? "0\(ending.rawValue)" : "\(ending.rawValue)"
                    let scenario = Scenario(name: .success, number: range + "0000" + step + tail, acts: acts)
                    let heard = await ScenarioStage(scenario, facade).play(self)
                    if let code = heard.last.flatMap({ Self.code(in: $0, path[...]) }) {
                        met[code, default: []].insert(ending)
                    }
                }
            }
        }
        return met
    }

    private static func code(in fields: ResultFields, _ path: ArraySlice<String>) -> String? {
        switch path.first.flatMap({ fields[$0] }) {
        case .text(let code): code
        case .number(let code): String(code)
        case .fields(let fields): code(in: fields, path.dropFirst())
        case nil: nil
        }
    }
}
