import FacadeScenarios
import Testing

@Suite struct TYRZSDKScenarioTests {
    @Test("TYRZSDK answers every scenario with exactly the dictionaries of its column", arguments: Scenario.all)
    func scenario(_ scenario: Scenario) async throws { try await TYRZSDKColumn().check(scenario) }

    @Test("Every name has one scenario")
    func complete() {
        #expect(Scenario.all.map(\.name) == Scenario.Name.allCases)
    }
}
