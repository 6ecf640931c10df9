import Administration
import Authority
import BenjiProtocol
import Requests
import Store
import Testing

@Suite("Orders as JSON")
struct OrderFormTests {
    private static let app = AppID(rawValue: "300000000001")!

    private func again<Asked: Order>(_ order: Asked) throws(Refusal) -> JSON {
        guard case .object(let members) = try OrderForm.write(order) else { return .null }
        return try OrderForm.write(try OrderForm.read(Asked.self, members))
    }

    /// With its lists in order: some are sets.
    private func sorted(_ value: JSON) -> JSON {
        switch value {
        case .array(let values): .array(values.map(sorted).sorted { $0.text < $1.text })
        case .object(let members): .object(members.map { JSON.Member($0.name, sorted($0.value)) })
        default: value
        }
    }

    @Test("each order is read as it was written, and its address names members that it has")
    func roundTrip() throws {
        for order in RoleTests.samples(Self.app) {
            let name = type(of: order).name
            let written = try OrderForm.write(order)
            #expect(sorted(try again(order)) == sorted(written), "\(name)")
            for member in type(of: order).route.names { #expect(written[member] != nil, "\(name): \(member)") }
        }
        let routes = Orders.all.map { "\($0.route.method.rawValue) \($0.route.path)" }
        #expect(Set(routes).count == routes.count, "two orders have one address")
    }

    @Test("whatever can be changed of an app, or said of a new one, is in the order's JSON")
    func complete() throws {
        let nothing = try OrderForm.write(ChangeApp(Self.app, AppChanges()))
        for member in RoleTests.members {
            var changes = AppChanges()
            member.set(&changes)
            let written = try OrderForm.write(ChangeApp(Self.app, changes))
            #expect(written != nothing, "\(member.name)")
            #expect(sorted(try again(ChangeApp(Self.app, changes))) == sorted(written), "\(member.name)")
        }
        var registration = Apps.Registration(name: "all")
        registration.id = Self.app
        for setting in AppSetting.all where setting.read(registration.app) == .null {
            var changes = AppChanges()
            let member = try #require(RoleTests.members.first { $0.name == setting.name })
            member.set(&changes)
            try setting.set(try #require(changes[setting]), of: &registration.app)
        }
        guard case .object(let members) = try OrderForm.write(CreateApp(registration)) else { return }
        #expect(members.count == AppSetting.all.count + 3)
    }

    @Test("an order that changes something is never given by GET, and one with a number never in an address")
    func methods() {
        for order in Orders.all where order.changes { #expect(order.route.method != .get, "\(order.name)") }
        #expect(FindTraces.route.method == .post)
    }

    private func problem<Asked: Order>(_ type: Asked.Type, _ json: String) -> String? {
        guard case .object(let members)? = try? JSON(parsing: json) else { return nil }
        do throws(Refusal) { _ = try OrderForm.read(type, members) } catch { return error.detail }
        return nil
    }

    @Test("what cannot be read is named with the rule that it breaks, and never repeated")
    func problems() {
        #expect(problem(CreateApp.self, "{}") == "name: missing")
        #expect(problem(CreateApp.self, #"{"name":7}"#) == "name: must be a text")
        #expect(
            problem(CreateApp.self, #"{"name":"a","sign":"secret"}"#) == "sign: must be one of: md5, rsa")
        #expect(problem(SuspendApp.self, #"{"id":"13800000001"}"#) == "id: must be 12 to 64 letters and digits")
        #expect(
            problem(SuspendApp.self, #"{"id":"300000000001","because":"x"}"#)
                == "because: there is no such member here")
        #expect(
            problem(ChangeApp.self, #"{"id":"300000000001","bundles":{"add":["a.b"],"ad":[]}}"#)
                == "bundles.ad: there is no such member here")
        #expect(
            problem(RotateAppKey.self, #"{"id":"300000000001","use":"server","overlap":"soon"}"#)
                == "overlap: must be a number of days, until-retired or none")
        #expect(problem(ListLedger.self, #"{"id":"300000000001","limit":"7"}"#) == "limit: must be a whole number")
        let number = problem(FindTraces.self, #"{"number":"1380000000x"}"#)
        #expect(number == "number: must be a mobile number, such as +8613800000001")
    }

    @Test("what is left out has its usual value, and so has what is null")
    func usual() throws {
        let allow = try OrderForm.read(AllowApp.self, [JSON.Member("id", "300000000001")])
        #expect(allow.isAllowed)
        let delete = try OrderForm.read(
            DeleteApp.self, [JSON.Member("id", "300000000001"), JSON.Member("afterDays", .null)])
        #expect(delete.afterDays == DeleteApp.usualDays)
        let change = try OrderForm.read(
            ChangeApp.self, [JSON.Member("id", "300000000001"), JSON.Member("bundles", .array(["com.example.a"]))])
        #expect(change.changes[list: .bundles] == ListChange(["com.example.a"]) && change.changes[.name] == nil)
    }

    /// Of an order that names a number of days or lines, whether each of some numbers is refused in its place.
    private func refusals<Asked: Order>(
        _ order: Asked, _ numbers: [Int], in world: AdministrationWorld
    ) async throws -> [Bool]? {
        guard case .object(var members) = try OrderForm.write(order),
            let index = members.firstIndex(where: { ["days", "limit"].contains($0.name) })
        else { return nil }
        var refusals: [Bool] = []
        for number in numbers {
            members[index].value = .integer(number)
            let asked = try OrderForm.read(Asked.self, members)
            do {
                try await world.order(asked, by: world.caller(seesNumbers: true))
                refusals.append(false)
            } catch { refusals.append(error.detail.hasPrefix("\(members[index].name): ")) }
        }
        return refusals
    }

    @Test("each order that names a number of days or lines takes both of its bounds and nothing beyond")
    func numberBounds() async throws {
        let most = [
            "admin.grant": 366, "admin.renew": 366, "app.attested-key.list": ListAttestedKeys.maximum,
            "app.callback.deliveries": 1000, "app.team.invite": 366, "audit.list": 500, "ledger.list": 10_000,
            "log.prove": 500, "page.list": 200, "policy.list": 200, "trace.find": 500,
        ]
        let world = try await AdministrationWorld()
        try await world.order(GrantAdmin("other-admin", .support))
        var found: Set<String> = []
        for order in RoleTests.samples(world.app) {
            let name = type(of: order).name
            let upper = most[name] ?? 0
            let numbers = [0, -1, upper + 1, 1_000_000_000, 1, upper]
            guard let refused = try await refusals(order, numbers, in: world) else { continue }
            found.insert(name)
            #expect(refused == [true, true, true, true, false, false], "\(name)")
        }
        #expect(found == Set(most.keys))
        await world.end()
    }

    @Test("a list that is too long is refused where it is read")
    func longLists() {
        let many = JSON.array((0...ListChange.maximum).map { .string("com.example.a\($0)") }).text
        #expect(
            problem(ChangeApp.self, #"{"id":"300000000001","bundles":\#(many)}"#)
                == "bundles: at the most 200 in one order")
        #expect(
            problem(ChangeOpenIDClient.self, #"{"id":"300000000001","redirect_uris":{"remove":\#(many)}}"#)
                == "redirect_uris: at the most 200 in one order")
    }
}
