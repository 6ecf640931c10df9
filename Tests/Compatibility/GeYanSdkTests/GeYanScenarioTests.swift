import FacadeScenarios
import OneTapShell
import Testing

@Suite struct GeYanScenarioTests {
    @Test("GeYanSdk answers every scenario with exactly the dictionaries of its column", arguments: Scenario.all)
    func scenario(_ scenario: Scenario) async throws { try await GeYanColumn().check(scenario) }

    @Test("GyOneLoginPro answers every scenario with exactly the dictionaries of its column", arguments: Scenario.all)
    func proScenario(_ scenario: Scenario) async throws { try await GyOneLoginProColumn().check(scenario) }

    @Test("The page about the scenarios prints the codes of both columns, and what each rests on")
    func page() throws {
        let codes = { (fields: ResultFields) -> String in
            guard fields["code"] != 30000 else { return "30000" }
            return ["code", "errorCode"].compactMap(fields.printed).joined(separator: " ")
        }
        try ScenarioPage.check(GeYanColumn(), title: "GeYanSdk", codes: codes)
        try ScenarioPage.check(GyOneLoginProColumn(), title: "GyOneLoginPro", codes: codes)
    }
}
