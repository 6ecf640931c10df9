#if Face
package import Authority
package import Requests
package import BenjiProtocol
import FaceAccounts
import Store

/// How many face accounts there are, how many of them are frozen, and how often apps are authorised.
package struct CountFaceAccounts: Order {
    package static let name = "face.count"
    package static let route = OrderRoute.get("/face/count")
    package static let summary = "How many face accounts there are."
    package static let answer = "FaceCounts"
    package static let roles: Set<Role> = [.operator, .support, .auditor]
    package static let changes = false

    package init() {}

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let counts = try await context.faceAccounts.counts()
        return .object([
            "accounts": .integer(counts.accounts), "frozen": .integer(counts.frozen),
            "authorizations": .integer(counts.bindings),
        ])
    }
}

/// Freezes the face account of a number's holder: nothing of it works until it is thawed.
package struct FreezeFaceAccount: Order {
    package static let name = "face.freeze"
    package static let route = OrderRoute.post("/face/freeze")
    package static let summary = "Freeze the face account of a number's holder."
    package static let answer = "FaceAccount"
    package static let fields: [OrderField] = [.number]
    package static let roles: Set<Role> = [.operator]

    package var number: PhoneNumber

    package init(_ number: PhoneNumber) { self.number = number }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try await context.change(accountOf: number, to: "frozen") { accounts throws(Refusal) in
            try await accounts.setFrozen(true, number, by: context.note)
        }
    }
}

/// Thaws a frozen face account: everything of it works again.
package struct ThawFaceAccount: Order {
    package static let name = "face.thaw"
    package static let route = OrderRoute.post("/face/thaw")
    package static let summary = "Thaw a frozen face account."
    package static let answer = "FaceAccount"
    package static let fields: [OrderField] = [.number]
    package static let roles: Set<Role> = [.operator]

    package var number: PhoneNumber

    package init(_ number: PhoneNumber) { self.number = number }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try await context.change(accountOf: number, to: "thawed") { accounts throws(Refusal) in
            try await accounts.setFrozen(false, number, by: context.note)
        }
    }
}

/// Erases the face account of a number's holder, for every app.
package struct EraseFaceAccount: Order {
    package static let name = "face.erase"
    package static let route = OrderRoute.post("/face/erase")
    package static let summary = "Erase the face account of a number's holder."
    package static let answer = "FaceAccount"
    package static let fields: [OrderField] = [.number]
    package static let roles: Set<Role> = [.operator]

    package var number: PhoneNumber

    package init(_ number: PhoneNumber) { self.number = number }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try await context.change(accountOf: number, to: "erased") { accounts throws(Refusal) in
            try await accounts.erase(number, by: context.note)
        }
    }
}

extension OrderContext {
    var faceAccounts: FaceAccounts { FaceAccounts(authority: authority, store: store) }

    /// - Parameter state: what the account is afterwards, in a word.
    fileprivate func change(
        accountOf number: PhoneNumber, to state: String,
        _ body: (FaceAccounts) async throws(Refusal) -> Bool
    ) async throws(Refusal) -> JSON {
        guard try await body(faceAccounts) else {
            throw Refusal(.notFound, "the holder of this number has no face account")
        }
        return .object(["number": .string(shown(number)), "account": .string(state)])
    }
}
#endif
