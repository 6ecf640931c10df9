import BenjiClient
import BenjiTesting
import OneTapShell
import Testing

extension FacadeColumn {
    /// Plays `scenario` and holds every dictionary to the column.
    ///
    /// A column may say that a scenario cannot happen if, and only if, the facade's calls lack what the scenario needs.
    package func check(_ scenario: Scenario) async throws {
        let lacking = try scenario.needs.filter { try !facade.has($0) }
        switch answers[scenario.name] {
        case nil: Issue.record("\(facade.name) says nothing about \(scenario.name)")
        case .cannotHappen(let need):
            #expect(lacking.contains(need), "\(facade.name), \(scenario.name): it lacks \(lacking)")
        case .answers(let expected, let requests):
            #expect(lacking.isEmpty, "\(facade.name) answers \(scenario.name)")
            try await check(scenario, expected, requests...requests)
        case .kept(let expected, let requests):
            #expect(lacking.isEmpty, "\(facade.name) answers \(scenario.name)")
            try await check(scenario, expected, requests)
        }
    }

    private func check(_ scenario: Scenario, _ expected: [ResultFields], _ requests: ClosedRange<Int>) async throws {
        let stage = ScenarioStage(scenario, facade)
        let heard = await stage.play(self)
        stage.shell.stopKeeping()
        #expect(heard == expected, "\(facade.name), \(scenario.name)")
        let sent = await stage.carrier.requests.map { $0.url.path.split(separator: "/").last ?? "" }
        #expect(requests.contains(sent.count), "\(facade.name), \(scenario.name): \(sent)")
        guard try !facade.has(.page) else { return }
        #expect(await stage.page.offers.isEmpty, "\(facade.name), \(scenario.name): it shows a page")
    }
}

extension Scenario: CustomTestStringConvertible {
    package var testDescription: String { name.rawValue }
}
