import Authority
import ServerTestKit
import Store
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

@Suite("Counters of logins")
struct LoginMetersTests {
    private func event(_ step: String, _ situation: Situation = .success) -> TraceEvent {
        TraceEvent(
            trace: TraceID(rawValue: Fixtures.trace.rawValue)!, at: TestClock.document.now, party: .authority,
            step: step,
            situation: situation, detail: "13800138000")
    }

    private func count(_ meters: LoginMeters, app: String?, carrier: Carrier?, _ event: TraceEvent) {
        let subject = RequestSubject()
        if let app { subject.note(app: AppID(rawValue: app)!) }
        if let carrier { subject.note(carrier: carrier) }
        RequestSubject.$current.withValue(subject) { meters.count(event) }
    }

    @Test("a step is counted by app, carrier, party, step and situation, and by nothing else")
    func labels() {
        let metrics = CapturedMetrics()
        let meters = LoginMeters(carriers: [.mobile], factory: metrics)
        count(meters, app: "300000000001", carrier: .mobile, event("authorize", .scripExpired))
        count(meters, app: nil, carrier: nil, event("prefetch"))
        count(meters, app: "300000000001", carrier: .unicom, event("prefetch"))
        meters.count(event("prefetch"))
        #expect(
            metrics.counted == [
                "benji_logins_total app=300000000001 carrier=mobile party=authority step=authorize code=scrip_expired",
                "benji_logins_total app=unknown carrier=unknown party=authority step=prefetch code=success",
                "benji_logins_total app=300000000001 carrier=other party=authority step=prefetch code=success",
                "benji_logins_total app=unknown carrier=unknown party=authority step=prefetch code=success",
            ])
    }

    @Test("only so many apps have a label of their own; the rest are counted together and none is lost")
    func bounded() {
        let metrics = CapturedMetrics()
        let meters = LoginMeters(carriers: [.mobile], limit: 2, factory: metrics)
        for app in [1, 2, 3, 4, 1, 3] {
            count(meters, app: "30000000000\(app)", carrier: .mobile, event("prefetch"))
        }
        #expect(
            metrics.counted.map { $0.split(separator: " ")[1] } == [
                "app=300000000001", "app=300000000002", "app=other", "app=other", "app=300000000001", "app=other",
            ])
    }
}
