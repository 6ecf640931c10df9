import FacadeScenarios
import Testing

@Suite struct TYRZLoginScenarioTests {
    @Test("TYRZLogin answers every scenario with exactly the dictionaries of its column", arguments: Scenario.all)
    func scenario(_ scenario: Scenario) async throws { try await TYRZLoginColumn().check(scenario) }
}
