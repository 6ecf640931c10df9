import Authority
import BenjiProtocol
import Requests
import Store

extension OpenIDClients.Registration {
    /// Refuses what a client that asks people on their phones cannot be.
    ///
    /// - Parameter rules: of addresses that this server calls: as of callbacks.
    func checkBackchannel(_ rules: CallbackRules) throws(Refusal) {
        func refuse(_ problem: String) -> Refusal { Refusal(.parameterInvalid, "backchannel: \(problem)") }
        guard let backchannel else { return }
        guard !asksMiddleDigits else {
            throw refuse("an app that always asks for the digits has no login without them; the phone's page has none")
        }
        guard profile == .openID else { throw refuse("the profile fapi2 has none") }
        switch (backchannel.delivery, backchannel.notificationEndpoint) {
        case (.poll, nil): return
        case (.poll, _?): throw refuse("only a client with ping has a notification endpoint")
        case (.ping, nil): throw refuse("ping needs a notification endpoint (--backchannel-notification)")
        case (.ping, let endpoint?):
            do { _ = try CallbackURL(endpoint, rules: rules) } catch {
                throw Refusal(
                    .parameterInvalid, error.detail.replacing("callback url", with: "backchannel notification endpoint")
                )
            }
        }
    }
}
