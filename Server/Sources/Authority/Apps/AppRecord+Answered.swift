import BenjiProtocol
import Requests
import Store

extension AppRecord {
    /// Checks that the app is answered at all: it is on the allow-list, and neither suspended nor about to be deleted.
    func checkAnswered() throws(Refusal) {
        guard deletedAfter == nil else { throw Refusal(.appSuspended, "the app is being deleted") }
        guard !suspended else { throw Refusal(.appSuspended, "the app is suspended") }
        guard allowed else { throw Refusal(.appNotAllowed, "the app is not on the allow-list") }
    }
}
