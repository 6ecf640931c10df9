package import BenjiClient
package import BenjiProtocol

/// How a call ended, before a facade spells it.
package struct CallResult: Sendable {
    package enum Value: Sendable {
        case prefetched(PrefetchSummary)
        case token(LoginToken)
        case failed(BenjiError)

        var error: BenjiError? {
            if case .failed(let error) = self { error } else { nil }
        }
    }

    package let facade: Facade
    package let call: Call.Kind
    package let value: Value
    /// As they are after the call.
    package let facts: Facts

    package init(facade: Facade, call: Call.Kind, value: Value, facts: Facts) {
        self.facade = facade
        self.call = call
        self.value = value
        self.facts = facts
    }

    package var situation: Situation {
        if case .failed(let error) = value { error.situation } else { .success }
    }

    /// The name of the login, for support.
    package var trace: TraceID? {
        switch value {
        case .prefetched(let summary): summary.trace
        case .token(let token): token.trace
        case .failed(let error): error.trace
        }
    }

    /// The code of the facade's own column.
    package var code: String { code(in: facade.codes) }

    package func code(in column: CodeColumn) -> String {
        codeIfAny(in: column) ?? Self(self, failedWith: .internalError).codeIfAny(in: column) ?? ""
    }

    /// The code of a column that does not know every situation.
    package func codeIfAny(in column: CodeColumn) -> String? {
        column.code(for: situation, carrier: facts.carrier, step: call.step)?.code
    }

    private init(_ other: CallResult, failedWith situation: Situation) {
        self.init(
            facade: other.facade, call: other.call, value: .failed(BenjiError(situation, "")), facts: other.facts)
    }
}
