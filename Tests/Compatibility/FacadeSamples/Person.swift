#if canImport(UIKit)
import BenjiPage
import BenjiPageUIKit
import Foundation
import UIKit

/// A phone's screen with the app's controller on it, and the person in front of it. What the person sees and taps is
/// printed like what a sample says.
@MainActor final class Person {
    /// The controller that the samples call `self`.
    let controller = UIViewController()
    private let screen: StandInScreen
    private let page: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation

    init() {
        screen = StandInScreen(controller)
        (page, arrived) = AsyncStream.makeStream()
    }

    /// For the `viewLifeCycleBlock` of a view model: notes when the page is there.
    func watches(_ step: String, _ isAnimated: Bool) {
        if step == "viewDidAppear" { arrived.yield() }
    }

    /// A result came, with a page or without.
    func hearsOfTheEnd() { arrived.finish() }

    /// Waits for the page, which the SDK has drawn unless the app did, sets its tick unless that is set, and taps the
    /// login button.
    func logsIn(on views: HandedViews? = nil) async {
        var arrivals = page.makeAsyncIterator()
        guard await arrivals.next() != nil else { return FacadeSamples.log("no page", [:]) }
        screen.settle()
        if let views {
            uses(
                views.tick, views.login, isTicked: views.tick.isSelected, number: views.number.text,
                terms: views.terms.text)
        } else if let page = controller.presentedViewController as? AuthorizationPageViewController {
            uses(
                page.views.tick, page.views.login, isTicked: page.isTicked, number: page.scene[.number]?.text?.text,
                terms: page.scene[.terms]?.text?.text)
        } else {
            FacadeSamples.log("no page", [:])
        }
    }

    private func uses(_ tick: UIView?, _ login: UIView?, isTicked: Bool, number: String?, terms: String?) {
        var tapped: [String] = []
        if !isTicked { tapped.append(tap(tick)) }
        tapped.append(tap(login))
        FacadeSamples.log(
            "person", ["number": number ?? "", "terms": terms ?? "", "tapped": tapped.joined(separator: " ")])
    }

    /// Puts the finger on a view. Answers what took the tap.
    func tap(_ view: UIView?) -> String {
        guard let view else { return "nothing" }
        return screen.tap(view)?.accessibilityIdentifier ?? "something else"
    }

    /// Whether the app's own controller is before the person again.
    func seesTheApp() {
        FacadeSamples.log("screen", ["page": controller.presentedViewController == nil ? "gone" : "there"])
    }
}
#endif
