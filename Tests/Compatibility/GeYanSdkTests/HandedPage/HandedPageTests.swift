#if canImport(UIKit)
import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import Foundation
import OneTapShell
import Testing
import UIKit
import Waiting

@testable import GeYanSdk

/// Release 3.0: the app draws the page, hands over its views, and they are judged before a token is asked for.
@MainActor @Suite(.serialized) struct HandedPageTests {
    private let host = UIViewController()
    private let screen: StandInScreen
    private let log = CallLog()
    private let model = GyAuthViewModel()

    init() { screen = StandInScreen(host) }

    /// Prefetches, draws the page, shows it, and returns once it is there.
    private func open(
        _ lab: GeYanLab, setsTick: Bool = true, _ change: @MainActor (DrawnViews) -> Void = { _ in }
    ) async -> DrawnViews {
        let told = model.viewLifeCycleBlock
        let (arrival, appeared) = AsyncStream.makeStream(of: Void.self)
        model.viewLifeCycleBlock = { name, isAnimated in
            told?(name, isAnimated)
            if name == "viewDidAppear" { appeared.finish() }
        }
        _ = await lab.prefetch()
        return await lab.run {
            let page = DrawnViews(setsTick: setsTick)
            change(page)
            GeYanSdk.oneTapLogin(
                host, viewModel: model, contentView: page.content, subViewList: page.list
            ) { [log] in
                log.note($0)
                appeared.finish()
            }
            for await _ in arrival {}
            screen.settle()
            return page
        }
    }

    /// Ticks and taps, as a person does who sees the page.
    private func agree(_ page: DrawnViews) async {
        screen.tap(page.tick)
        // The SDK sets the tick in its next turn, unless the app has.
        await mainTurn()
        screen.tap(page.login)
    }

    private func close(_ lab: GeYanLab) async {
        await lab.run { GeYanSdk.closeAuthVC(false) { [log] in log.note("closed") } }
        await log.wait(for: "closed")
    }

    @Test(
        "A page that shows what it must gives a token for every carrier, and stays until the app closes it",
        arguments: zip(["13800000000", "13000000000", "18900000000"], ["1", "2", "3"]))
    func good(_ number: String, _ carrier: String) async throws {
        let lab = GeYanLab(number)
        model.viewLifeCycleBlock = { [log] name, _ in log.note(name) }
        model.clickAuthButtonBlock = { [log] in log.note("clickAuthButtonBlock") }
        let page = await open(lab)
        #expect(page.number.text == "\(number.prefix(3))****0000")
        await agree(page)
        await log.wait(for: "result")
        let masked = ResultValue.text("\(number.prefix(3))****0000")
        let expected: ResultFields = [
            "code": 30000, "processID": .text(lab.carrier.trace.rawValue), "operatorType": .text(carrier),
            "errorCode": "0", "msg": "获取accessCode成功", "token": .text(try #require(await lab.carrier.tokens.first)),
            "pn": masked, "number": masked,
            "expiredTime": try #require(log.results.first?["expiredTime"]),
        ]
        #expect(log.results.first == expected)
        #expect(page.content.window != nil, "the page stays")
        await lab.run { GeYanSdk.stopLoading() }
        await close(lab)
        #expect(page.content.window == nil)
        #expect(
            log.calls == [
                "viewDidLoad", "viewWillAppear", "viewDidAppear", "clickAuthButtonBlock", "result",
                "viewWillDisappear", "viewDidDisappear", "closed",
            ])
    }

    struct Trick: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The rule that `msg` names.
        let rule: String
        let play: @MainActor @Sendable (DrawnViews) -> Void

        init(_ name: String, _ rule: String, _ play: @escaping @MainActor @Sendable (DrawnViews) -> Void) {
            (testDescription, self.rule, self.play) = (name, rule, play)
        }
    }

    nonisolated static let tricks = [
        Trick("a hidden number", "number-visible at number") { $0.number.isHidden = true },
        Trick("somebody else's number", "number-visible at number") { $0.number.text = "139****9999" },
        Trick("a number moved off the screen", "number-visible at number") { $0.number.frame.origin.x = -500 },
        Trick("a tiny number", "number-size at number") {
            $0.number.font = .systemFont(ofSize: 6)
            $0.number.text = $0.number.text
        },
        Trick("words in place of the number", "number-visible at number") { $0.number.text = "本机号码登录" },
        Trick("a transparent slogan", "slogan at slogan") { $0.slogan.alpha = 0.02 },
        Trick("another slogan", "slogan at slogan") { $0.slogan.text = "登录领红包" },
        Trick("another carrier's slogan", "other-carrier at slogan") { $0.slogan.text = "天翼账号提供认证服务" },
        Trick("a covered slogan", "slogan at slogan") {
            $0.cover(CGRect(x: 90, y: 230, width: 210, height: 30), with: .white)
        },
        Trick("a luring button", "login-wording at login") { $0.login.setTitle("领取红包", for: .normal) },
        Trick("a button under something clear that takes its taps", "login-usable at login") {
            $0.cover(CGRect(x: 0, y: 330, width: 393, height: 10), with: nil)
            $0.login.frame.size.height = 70
        },
        Trick("terms in the colour of the page", "terms-visible at terms") {
            $0.terms.textColor = UIColor(white: 0.99, alpha: 1)
            $0.terms.text = $0.terms.text
        },
        Trick("a title in the colour of the page", "terms-visible at terms") { page in
            let words = page.terms.text ?? ""
            let text = NSMutableAttributedString(string: words, attributes: [.font: UIFont.systemFont(ofSize: 12)])
            text.addAttribute(
                .foregroundColor, value: UIColor.white,
                range: (words as NSString).range(of: GyContentModel.currentModel().term))
            page.terms.attributedText = text
        },
        Trick("tiny terms behind one large letter", "terms-size at terms") { page in
            let text = NSMutableAttributedString(string: "登", attributes: [.font: UIFont.systemFont(ofSize: 12)])
            let rest = String(page.terms.text?.dropFirst() ?? "")
            text.append(NSAttributedString(string: rest, attributes: [.font: UIFont.systemFont(ofSize: 2)]))
            page.terms.attributedText = text
        },
        Trick("terms without the carrier's", "carrier-terms at terms") { $0.terms.text = "登录即同意《用户协议》" },
        Trick("terms scaled away", "terms-visible at terms") {
            $0.terms.transform = CGAffineTransform(scaleX: 0.001, y: 0.001)
        },
        Trick("terms that are cut off", "terms-visible at terms") {
            $0.card.clipsToBounds = true
            $0.card.frame.size.height = 705
        },
        Trick("terms below a picture", "terms-visible at terms") {
            let picture = UIImageView(image: UIImage(standIn: "gift"))
            picture.frame = CGRect(x: 0, y: 690, width: 393, height: 100)
            $0.content.addSubview(picture)
            picture.isUserInteractionEnabled = false
            $0.card.addSubview($0.tick)
            $0.content.addSubview($0.tick)
        },
        Trick("a transparent tick that is set for the person", "unticked-at-first at tick") {
            $0.tick.alpha = 0
            $0.tick.isSelected = true
        },
        Trick("a tick of two points", "terms-size at tick") {
            $0.tick.frame.size = CGSize(width: 2, height: 2)
            $0.tick.isSelected = true
        },
        Trick("a tick below something", "unticked-at-first at tick") {
            $0.cover(CGRect(x: 10, y: 690, width: 40, height: 40), with: .white)
            $0.tick.isSelected = true
        },
    ]

    @Test(
        "Whatever keeps a person from seeing or using one of the five ends the login before a token", arguments: tricks)
    func trick(_ trick: Trick) async {
        let lab = GeYanLab()
        let page = await open(lab, trick.play)
        let asked = await lab.carrier.requests.count
        page.tick.isSelected = true
        // A tap may not get through; an app that asks all the same is refused all the same.
        page.login.sendActions(for: .touchUpInside)
        await log.wait(for: "result")
        let result = log.results.first
        #expect(result?["code"] == 30006 && result?["errorCode"] == "-20304")
        guard case .text(let words)? = result?["msg"] else { return #expect(Bool(false), "msg is missing") }
        #expect(words.contains("[\(trick.rule)]"), "\(words)")
        #expect(await lab.carrier.requests.count == asked, "nobody was asked for a token")
        await close(lab)
    }

    @Test("A check that only looks whether the five are there lets most of the tricks through")
    func naive() async {
        var fooled = 0
        for trick in Self.tricks {
            let lab = GeYanLab()
            _ = await lab.prefetch()
            await lab.run {
                let page = DrawnViews()
                trick.play(page)
                page.tick.isSelected = true
                if page.isThere { fooled += 1 }
            }
        }
        #expect(fooled > Self.tricks.count / 2)
    }

    @Test("The tick is set once, whether the app sets it or leaves it to the SDK", arguments: [true, false])
    func ticking(setsTick: Bool) async {
        let lab = GeYanLab()
        let page = await open(lab, setsTick: setsTick)
        for isTicked in [true, false, true] {
            screen.tap(page.tick)
            await mainTurn()
            await lab.run { #expect(GeYanSdk.isProtocolCheckboxChecked() == isTicked) }
            #expect(page.tick.isSelected == isTicked)
        }
        await close(lab)
    }

    @Test(
        "Without the tick shouldLogInBlock may keep the login open; otherwise it ends with -20305, and nobody is asked")
    func untick() async {
        let lab = GeYanLab()
        var goesOn = false
        model.shouldLogInBlock = { [log] in
            log.note("asked")
            return goesOn
        }
        let page = await open(lab)
        screen.tap(page.login)
        #expect(log.calls == ["asked"])
        goesOn = true
        let asked = await lab.carrier.requests.count
        screen.tap(page.login)
        await log.wait(for: "result")
        #expect(log.results.first?["code"] == 30006 && log.results.first?["errorCode"] == "-20305")
        #expect(await lab.carrier.requests.count == asked)
        await close(lab)
    }

    @Test(
        "A page that began ticked says so, and earns no token, unless the operator has granted the app that",
        arguments: [false, true])
    func tickedAtFirst(isGranted: Bool) async {
        let lab = GeYanLab(mayBeginTicked: isGranted)
        let page = await open(lab) { $0.tick.isSelected = true }
        screen.tap(page.login)
        await log.wait(for: "result")
        #expect(await lab.carrier.tokens.count == (isGranted ? 1 : 0))
        #expect(log.results.first?["code"] == (isGranted ? 30000 : 30006))
        #expect(log.results.first?["errorCode"] == (isGranted ? "0" : "-20304"))
        await close(lab)
    }

    enum Departure: CaseIterable { case closedByApp, poppedByPerson, thrownAwayCovered }

    @Test(
        "A page that goes before the person has decided ends with -20301, however it goes",
        arguments: Departure.allCases)
    func leaving(_ departure: Departure) async {
        let lab = GeYanLab()
        let stack = UINavigationController(rootViewController: UIViewController())
        let screen = StandInScreen(stack)
        model.pullAuthVCStyle = .push
        model.pullAnimate = false
        _ = await lab.prefetch()
        await lab.run {
            let page = DrawnViews()
            GeYanSdk.oneTapLogin(
                stack, viewModel: model, contentView: page.content, subViewList: page.list
            ) { [log] in log.note($0) }
            await eventually("the page is shown") { GeYanSdk.currentAuthViewController() != nil }
            screen.settle()
            #expect(stack.viewControllers.count == 2 && stack.isNavigationBarHidden)
            switch departure {
            case .closedByApp: GeYanSdk.closeAuthVC()
            case .poppedByPerson: stack.popViewController(animated: false)
            case .thrownAwayCovered:
                stack.pushViewController(UIViewController(), animated: false)
                stack.setViewControllers([stack.viewControllers[0]], animated: false)
            }
        }
        await log.wait(for: "result")
        #expect(log.results.first?["code"] == 30006 && log.results.first?["errorCode"] == "-20301")
        #expect(stack.viewControllers.count == 1)
        #expect(!stack.isNavigationBarHidden, "the app's bar is back, also where the page went from under another")
        await lab.run { #expect(GeYanSdk.currentAuthViewController() == nil) }
    }

    @Test("The calls about a shown page are about this one too")
    func shownPage() async {
        let lab = GeYanLab()
        model.loadingViewBlock = { [log] _ in log.note("loading") }
        model.stopLoadingViewBlock = { [log] _ in log.note("stopped") }
        let page = await open(lab)
        await lab.run {
            GeYanSdk.disableAuthButton()
            await eventually("the button is disabled") { !page.login.isEnabled }
            GeYanSdk.enableAuthButton()
            GeYanSdk.updateAuthButtonTitle(NSAttributedString(string: "一键登录"))
            GeYanSdk.updateAuthButtonTitle(nil)
            await eventually("the button has its new title") { page.login.currentTitle == "一键登录" }
            #expect(page.login.isEnabled)
        }
        await agree(page)
        await log.wait(for: "result")
        await lab.run {
            GeYanSdk.stopLoading()
            GeYanSdk.oneTapLogin(host, viewModel: nil, contentView: page.content, subViewList: page.list) { [log] in
                log.note($0)
            }
        }
        await log.wait(for: "result", count: 2)
        #expect(log.calls == ["loading", "result", "stopped", "result"])
        #expect(log.results.last?["errorCode"] == "-10006", "one page at a time")
        await close(lab)
    }

    @Test("The same views may be shown again, and one tap is one answer")
    func again() async {
        let lab = GeYanLab()
        let first = await open(lab)
        await close(lab)
        // The login that the page belonged to must have ended.
        await log.wait(for: "result")
        _ = await lab.prefetch()
        await lab.run {
            GeYanSdk.oneTapLogin(host, viewModel: nil, contentView: first.content, subViewList: first.list) {
                [log] in log.note($0)
            }
            await eventually("the page is shown") { GeYanSdk.currentAuthViewController() != nil }
            screen.settle()
        }
        await agree(first)
        await log.wait(for: "result", count: 2)
        #expect(log.results.map { $0["code"] } == [30006, 30000])
        await close(lab)
    }
}
#endif
