import Benji
import BenjiClient
import BenjiPage
import BenjiProtocol

/// Somebody in front of a page that the page engine lays out: ticks where the page does not, and taps.
///
/// The consent and both of its digests are those that an app's page would send.
struct PagePerson: AuthorizationPresenter {
    let page: PageDescription
    let clock: any WallClock

    func present(_ offer: PageOffer) async -> PresentationOutcome {
        do throws(PageError) {
            var flow = try PageFlow(
                page, facts: PageFacts(offer), screen: PageScreen(393, 852, language: .simplifiedChinese),
                profile: .documents, strictness: .everyError, measuredBy: AdvanceTable())
            let now = clock.now.milliseconds
            _ = flow.handle(.appeared, at: now)
            if !flow.state.isTicked { _ = flow.handle(.tickTapped, at: now) }
            var actions = flow.handle(.loginTapped, at: now)
            if actions.contains(.askLogin) { actions += flow.handle(.loginAnswered(true), at: now) }
            for case .decide(let decision) in actions {
                switch decision {
                case .consented(let times):
                    return .consented(PageConsent(flow.content, scene: flow.agreedScene, times: times))
                case .refused(let refusal): return .failed(refusal.description)
                case .cancelled: return .cancelled
                case .switchAccount: return .switchAccount
                }
            }
            return .failed("nothing came of the tap")
        } catch {
            return .failed("\(error)")
        }
    }
}
