package import Authority
import BenjiPolicy
package import BenjiProtocol
package import Requests
import Sightings
import Store

/// Shows a number's row of the register: its carrier, since when holder and SIM are known, and its last sighting.
package struct ShowNumber: Order {
    package static let name = "number.show"
    package static let route = OrderRoute.post("/numbers/show")
    package static let summary = "What the register says of a number; the audit log notes the look."
    package static let answer = "Number"
    package static let fields: [OrderField] = [.number]
    package static let roles: Set<Role> = [.operator, .support]
    package static let changes = false

    package var number: PhoneNumber

    package init(_ number: PhoneNumber) { self.number = number }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let row = try await context.subscriptionToLookAt(number)
        return .object([
            "number": .string(context.shown(number)), "subscription": .integer(row.id),
            "carrier": .string(row.carrier.rawValue), "epoch": .integer(row.epoch),
            "epochStartedAt": .integer(row.epochStartedAt.milliseconds), "simGeneration": .integer(row.simGeneration),
            "simChangedAt": .integer(row.simChangedAt.milliseconds),
            "lastSeenAt": .integer(row.lastSeenAt.milliseconds),
        ])
    }
}

/// The number has been given to somebody else: begins a new epoch. Every credential of the old holder dies, and every
/// app sees a new person.
package struct ReassignNumber: Order {
    package static let name = "number.reassign"
    package static let route = OrderRoute.post("/numbers/reassign")
    package static let summary = "The number was given to somebody else."
    package static let answer = "Number"
    package static let fields: [OrderField] = [.number]
    package static let roles: Set<Role> = [.operator]

    package var number: PhoneNumber

    package init(_ number: PhoneNumber) { self.number = number }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try await context.change(number) { register throws(StoreError) in
            try await register.reassign(number, at: context.now, by: context.note)
        }
    }
}

/// Moves a number to another carrier. The person stays the same to every app; credentials from before become invalid.
package struct PortNumber: Order {
    package static let name = "number.port"
    package static let route = OrderRoute.post("/numbers/port")
    package static let summary = "The number has moved to another carrier."
    package static let answer = "Number"
    package static let fields: [OrderField] = [
        .number,
        OrderField("carrier", .text, isRequired: true, "One that the policy names."),
    ]
    package static let roles: Set<Role> = [.operator]

    package var number: PhoneNumber
    /// One that the policy names.
    package var carrier: Carrier

    package init(_ number: PhoneNumber, to carrier: Carrier) {
        self.number = number
        self.carrier = carrier
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let policy = context.authority.configuration.policy
        guard policy.carriers[carrier] != nil else {
            let names = policy.order.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                .parameterInvalid, "the policy has no carrier \(carrier.rawValue); it has \(names)")
        }
        return try await context.change(number) { register throws(StoreError) in
            try await register.port(number, to: carrier, at: context.now, by: context.note)
        }
    }
}

extension OrderContext {
    private var register: Register {
        Register(store: store, vault: authority.vault, clock: authority.clock, random: authority.random)
    }

    /// Changes the row of a number, and answers who its holder is afterwards.
    fileprivate func change(
        _ number: PhoneNumber, _ body: (Register) async throws(StoreError) -> SubscriptionReference?
    ) async throws(Refusal) -> JSON {
        let changed: SubscriptionReference?
        do throws(StoreError) { changed = try await body(register) } catch { throw Refusal(error) }
        guard let changed else { throw Self.numberUnknown }
        return .object([
            "number": .string(shown(number)), "subscription": .integer(changed.subscription),
            "epoch": .integer(changed.epoch), "simGeneration": .integer(changed.simGeneration),
        ])
    }
}
