package import BenjiProtocol
package import Requests

extension DeviceFailure {
    /// A refusal as phones read it.
    package init(_ refusal: Refusal) {
        self.init(
            situation: refusal.situation, detail: refusal.detail, trace: refusal.trace, serverTime: refusal.serverTime,
            since: refusal.since, smsLogin: refusal.smsLogin)
    }
}
