import FacadeScenarios
import Testing

@Suite(.timeLimit(.minutes(1))) struct GeYanScenarioTests {
    @Test("GeYanSdk answers every scenario with exactly the dictionaries of its column", arguments: Scenario.all)
    func scenario(_ scenario: Scenario) async { await GeYanColumn().check(scenario) }
}
