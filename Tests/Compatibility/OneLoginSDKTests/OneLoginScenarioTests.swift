import FacadeScenarios
import OneTapShell
import Testing

@Suite struct OneLoginScenarioTests {
    @Test("OneLogin answers every scenario with exactly the dictionaries of its column", arguments: Scenario.all)
    func scenario(_ scenario: Scenario) async throws { try await OneLoginColumn().check(scenario) }

    @Test("OneLoginPro answers every scenario with exactly the dictionaries of its column", arguments: Scenario.all)
    func proScenario(_ scenario: Scenario) async throws { try await OneLoginProColumn().check(scenario) }

    @Test("The page about the scenarios prints the codes of both columns, and what each rests on")
    func page() throws {
        let codes = { (fields: ResultFields) -> String in
            fields["status"] == 200 ? "200" : fields.printed("errorCode") ?? ""
        }
        try ScenarioPage.check(OneLoginColumn(), title: "OneLogin", codes: codes)
        try ScenarioPage.check(OneLoginProColumn(), title: "OneLoginPro", codes: codes)
    }
}
