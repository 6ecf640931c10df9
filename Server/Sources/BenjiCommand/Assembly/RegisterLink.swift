import Authority
import BenjiProtocol
import Endpoints
import Gateway
import Sightings

/// Joins the gateway's wish for a register to whoever fulfils it: the authority of this process or one over the link.
struct RegisterLink: SubscriptionRegister {
    let desk: any RegisterDesk

    func observe(_ observations: [SubscriptionObservation]) async throws -> [SubscriptionReference?] {
        try await desk.observe(
            observations.map {
                SubscriberObservation(
                    number: $0.number, imsi: $0.imsi, carrier: $0.carrier, eventTime: $0.eventTime,
                    startsSession: $0.startsSession)
            })
    }

    func revoke(_ bindings: [BindingID]) async throws { try await desk.revoke(bindings) }
}
