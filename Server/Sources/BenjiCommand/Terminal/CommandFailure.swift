import BenjiProtocol
import Store

/// Why a command that was well formed could not do its work. Unlike a wrong flag it is answered without the usage text.
struct CommandFailure: Error, CustomStringConvertible {
    var description: String
    /// The reason, if the store cannot be used.
    private(set) var cause: StoreError?

    init(_ description: String) { self.description = description }

    /// Says why the store cannot be used.
    init(_ cause: StoreError) {
        description = cause.detail
        self.cause = cause
    }

    /// Says why an order was refused, and where to look for an unknown app's id.
    init(refused situation: Situation?, _ detail: String) {
        self.init(situation == .appUnknown ? "\(detail); see: benji app list" : detail)
    }
}
