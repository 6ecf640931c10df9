import BenjiClient
import BenjiTesting
import OneTapShell
import Testing

extension FacadeColumn {
    /// Plays `scenario` and holds every dictionary to the column.
    package func check(_ scenario: Scenario) async {
        switch answers[scenario.name] {
        case nil: Issue.record("\(facade.name) says nothing about \(scenario.name)")
        case .cannotHappen(let reason): #expect(!reason.isEmpty)
        case .answers(let expected, let requests): await check(scenario, expected, requests...requests)
        case .kept(let expected, let requests): await check(scenario, expected, requests)
        }
    }

    private func check(_ scenario: Scenario, _ expected: [ResultFields], _ requests: ClosedRange<Int>) async {
        let stage = ScenarioStage(scenario, facade)
        let heard = await stage.play(self)
        stage.shell.stopKeeping()
        #expect(heard == expected, "\(facade.name), \(scenario.name)")
        let sent = await stage.carrier.requests.map { $0.url.path.split(separator: "/").last ?? "" }
        #expect(requests.contains(sent.count), "\(facade.name), \(scenario.name): \(sent)")
    }
}

extension Scenario: CustomTestStringConvertible {
    package var testDescription: String { name.rawValue }
}
