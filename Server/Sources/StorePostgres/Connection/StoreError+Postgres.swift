import Store
import StoreRows

extension StoreError {
    /// Describes the failure by PostgreSQL's own code. The message, the statement and the arguments are left out,
    /// because they may carry values.
    init(_ error: any Error, during operation: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as ServerFailure:
            let code = error.state.map { " (PostgreSQL \($0))" } ?? ""
            self.init(Self.code(error), "\(operation): \(error.words)\(code)")
        case let error as DamagedRow: self.init(.corrupt, "\(operation): \(error.column) cannot be read")
        case is CancellationError: self.init(.unavailable, "\(operation): cancelled before it was answered")
        default: self.init(.unavailable, "\(operation): \(type(of: error))")
        }
    }

    private static func code(_ failure: ServerFailure) -> Code {
        switch failure.state {
        case "23505": .alreadyExists
        case "P0001": .corrupt
        case _ where failure.isOfClass("23") || failure.isOfClass("22") || failure.isOfClass("XX"): .corrupt
        default: .unavailable
        }
    }

    static func closed(during operation: String) -> StoreError {
        StoreError(.unavailable, "\(operation): the store is closed")
    }
}
