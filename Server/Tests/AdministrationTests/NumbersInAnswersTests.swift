import Administration
import Authority
@_spi(Server) import BenjiProtocol
import Foundation
import Requests
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("Numbers in answers")
struct NumbersInAnswersTests {
    private static let number = AuthorityWorld.number

    /// Orders whose answer names the number that they are about.
    private static let named: Set<String> = [
        "number.show", "number.reassign", "number.port", "subscriber.show", "subscriber.export",
    ]

    /// Returns an order's reply after a subscriber has logged in, or the text of its refusal.
    private func answer(_ name: String, seesNumbers: Bool) async throws -> (text: String, isRefused: Bool) {
        let world = try await AdministrationWorld()
        let login = try await world.world.redeem(world.call(), try await world.world.token().token)
        let order = try #require(
            (RoleTests.samples(world.app, subscriber: Self.number) + [
                FindTraces(TraceFilter(), number: Self.number), ShowTrace(login.trace), ExportTrace(login.trace),
                ShowConsents(login.trace), ListAudit(),
            ]).last { type(of: $0).name == name })
        // Lines of the audit log about the number.
        try await world.order(ShowNumber(Self.number))
        let caller = world.caller(seesNumbers: seesNumbers)
        let said: (String, Bool)
        do throws(Refusal) {
            said = (try await world.order(order, by: caller, reason: "ticket 4711").text, false)
        } catch {
            said = (error.detail, true)
        }
        await world.end()
        return said
    }

    @Test(
        "no order's answer has a number in clear for a caller who does not see numbers",
        arguments: Orders.all.map { $0.name })
    func masked(name: String) async throws {
        let (text, isRefused) = try await answer(name, seesNumbers: false)
        #expect(!text.contains(Self.number.national), "\(name): \(text)")
        guard Self.named.contains(name) else { return }
        #expect(!isRefused && text.contains(Self.number.masked), "\(name): \(text)")
        // So the test finds a number that is there.
        let seen = try await answer(name, seesNumbers: true).text
        #expect(seen.contains("+" + Self.number.e164), "\(name): \(seen)")
    }
}
