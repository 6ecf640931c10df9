package import BenjiProtocol
import Requests
import Sightings
package import Store

/// An event for an app's callback, before it is written down. It never has a number or a token.
package struct CallbackEvent: Sendable {
    package var type: CallbackEventType
    package var appID: AppID
    package var at: Timestamp
    package var trace: TraceID?
    /// As the ledger names it: "loginTokenValidate".
    package var interface: String?
    /// "released", "released-without-page", "matched", "differs".
    package var result: String?
    package var assurance: Assurance?
    /// The app's openId of the person, if the app's own calls receive it.
    package var openID: String?
    package var passedThrough = PassedThrough()
    package var holder: OutboxEvent.Holder?

    package init(_ type: CallbackEventType, appID: AppID, at: Timestamp) {
        self.type = type
        self.appID = appID
        self.at = at
    }

    /// As it is put into the outbox.
    package func outboxEvent(_ random: some RandomSource) -> OutboxEvent {
        let id = "evt_" + random.alphanumerics(24)
        let data = JSON.object([
            "appId": .string(appID.rawValue), "trace": trace.map { .string($0.rawValue) },
            "interface": interface.map { .string($0) }, "result": result.map { .string($0) },
            "assurance": assurance.map { .string($0.rawValue) }, "openId": openID.map { .string($0) },
            "message": passedThrough.message.map { .string($0) },
            "expandParams": passedThrough.expandParams.map { .string($0) },
        ])
        let payload = JSON.object([
            "id": .string(id), "type": .string(type.rawValue), "timestamp": .string(at.rfc3339), "data": data,
        ])
        return OutboxEvent(
            id: id, appID: appID, type: type, trace: trace, holder: holder, payload: payload.text, at: at)
    }
}

/// Values that an app's server passes through to its callback, unchanged (tokenValidate: message, expandParams).
package struct PassedThrough: Hashable, Sendable {
    package var message: String?
    package var expandParams: String?

    package init(message: String? = nil, expandParams: String? = nil) {
        self.message = message
        self.expandParams = expandParams
    }
}

extension CallbackEventType {
    /// The event of an answer, by the ledger's name of it; `nil` for answers that no callback is told of.
    package init?(ofResult result: String) {
        switch result {
        case "released", "released-without-page": self = .loginReleased
        case "matched", "differs": self = .verificationAnswered
        default: return nil
        }
    }
}

extension AppRecord {
    /// The event of a redemption's answer.
    ///
    /// - Parameter openID: what the app's own call is told, if anything.
    package func event(
        ofResult result: String, of token: TokenRecord, _ subscription: SubscriptionRecord, interface: String,
        openID: @autoclosure () -> String?, passedThrough: PassedThrough, at moment: Timestamp,
        random: some RandomSource
    ) -> OutboxEvent? {
        event(CallbackEventType(ofResult: result), at: moment, random) { event in
            event.trace = token.trace
            event.interface = interface
            event.result = result
            event.assurance = token.assurance
            event.openID = openID()
            event.passedThrough = passedThrough
            event.holder = .init(subscription: subscription.id, epoch: subscription.epoch)
        }
    }

    /// The event of an answer of OpenID Connect's or CAMARA's interfaces.
    package func event(
        ofResult result: String, of credential: OpenIDCredential, assurance: Assurance?, interface: String,
        openID: @autoclosure () -> String?, at moment: Timestamp, random: any RandomSource
    ) -> OutboxEvent? {
        event(CallbackEventType(ofResult: result), at: moment, random) { event in
            event.trace = credential.trace
            event.interface = interface
            event.result = result
            event.assurance = assurance
            event.openID = openID()
            event.holder = credential.subject.map {
                .init(subscription: $0.subscription.subscription, epoch: $0.subscription.epoch)
            }
        }
    }

    /// The event of an order that suspends or resumes an app; `nil` if it does neither, or no callback gets it.
    func event(ofChangeFrom before: AppRecord, at moment: Timestamp, random: some RandomSource) -> OutboxEvent? {
        guard suspended != before.suspended else { return nil }
        return event(suspended ? .appSuspended : .appResumed, at: moment, random) { _ in }
    }

    /// The event of a person who withdraws their consent to this app; `nil` if the callback does not get it.
    package func event(
        ofWithdrawalBy subscription: SubscriptionRecord, openID: @autoclosure () -> String, at moment: Timestamp,
        random: any RandomSource
    ) -> OutboxEvent? {
        event(.consentWithdrawn, at: moment, random) { event in
            event.openID = openID()
            event.holder = .init(subscription: subscription.id, epoch: subscription.epoch)
        }
    }

    /// An event, if the app's callback is told of such; nothing is computed for it otherwise.
    private func event(
        _ type: CallbackEventType?, at moment: Timestamp, _ random: some RandomSource,
        _ describe: (inout CallbackEvent) -> Void
    ) -> OutboxEvent? {
        guard let type, callback?.events.contains(type) == true else { return nil }
        var event = CallbackEvent(type, appID: id, at: moment)
        describe(&event)
        return event.outboxEvent(random)
    }
}
