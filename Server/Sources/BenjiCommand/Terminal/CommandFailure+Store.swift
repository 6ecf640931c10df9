import BenjiProtocol
import ServerRuntime
import Store

extension CommandFailure {
    /// Says why the store cannot be used.
    init(_ cause: StoreError) { self.init(cause.detail, cause: cause) }

    /// Says why an order was refused, and where to look for an unknown app's id.
    init(refused situation: Situation?, _ detail: String) {
        self.init(situation == .appUnknown ? "\(detail); see: benji app list" : detail)
    }
}
