#if canImport(UIKit)
import BenjiClient
import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import Foundation
import OneTapShell
import Testing
import UIKit
import Waiting

@testable import GeYanSdk

/// Mistakes of an app that hands over the views of its page.
@MainActor @Suite(.serialized) struct HandedArgumentTests {
    private let host = UIViewController()
    private let screen: StandInScreen

    init() { screen = StandInScreen(host) }

    private func answer(
        _ lab: GeYanLab, over controller: UIViewController?, _ content: UIView?, _ list: [Any]?
    ) async -> ResultFields? {
        await lab.heard {
            GeYanSdk.oneTapLogin(controller, viewModel: nil, contentView: content, subViewList: list, loginBlock: $0)
        }
    }

    private func expect(_ result: ResultFields?, _ errorCode: String, _ words: String = "", _ name: String = "") {
        #expect(
            result?["code"] == 30006 && result?["errorCode"] == .text(errorCode),
            "\(name) \(String(describing: result))")
        guard case .text(let message)? = result?["msg"] else { return #expect(Bool(false), "msg is missing") }
        #expect(words.isEmpty || message.contains(words), "\(name): \(message)")
    }

    @Test("A controller that is missing or not on the screen ends in a code")
    func controller() async {
        let lab = GeYanLab()
        _ = await lab.prefetch()
        let page = await lab.run { DrawnViews() }
        expect(await answer(lab, over: nil, page.content, page.list), "-20100", "controller")
        expect(await answer(lab, over: UIViewController(), page.content, page.list), "-20304", "on screen")
    }

    @Test("A view that is missing, no view, of the wrong kind, handed over twice or elsewhere is named")
    func views() async {
        let lab = GeYanLab()
        _ = await lab.prefetch()
        let page = await lab.run { DrawnViews() }
        let asked = await lab.carrier.requests.count
        func with(_ index: Int, _ other: Any) -> [Any] {
            var list: [Any] = page.list
            list[index] = other
            return list
        }
        let wrong: [(name: String, content: UIView?, list: [Any]?, words: String)] = [
            ("no content view", nil, page.list, "contentView"),
            ("no list", page.content, nil, "subViewList"), ("an empty list", page.content, [], "subViewList"),
            ("four views", page.content, Array(page.list.dropLast()), "subViewList"),
            ("a text for a view", page.content, with(1, "slogan"), "subViewList[1]"),
            ("nothing for a view", page.content, with(4, NSNull()), "subViewList[4]"),
            (
                "a label for the button", page.content, [page.login, page.slogan, page.number, page.tick, page.terms],
                "[2]"
            ),
            (
                "a label for the tick", page.content, [page.number, page.slogan, page.login, page.terms, page.tick],
                "[3]"
            ),
            ("one view twice", page.content, with(1, page.number), "subViewList[1]"),
            ("a view of another page", page.content, with(0, UILabel(frame: .zero)), "subViewList[0]"),
            ("the content view itself", page.content, with(0, page.content), "subViewList[0]"),
        ]
        for (name, content, list, words) in wrong {
            expect(await answer(lab, over: host, content, list), "-20100", words, name)
        }
        #expect(await lab.carrier.requests.count == asked)
    }

    @Test(
        """
        A call before the start, with an id that is none, with a time-out that is none or without a prefetch ends in a \
        code
        """
    )
    func calls() async {
        let page = await GeYanLab().run { DrawnViews() }
        expect(await answer(GeYanLab(registers: false), over: host, page.content, page.list), "-10000")
        for (id, code) in [("", "-10000"), ("app id", "-20100")] {
            let lab = GeYanLab(registers: false)
            await lab.run { GeYanSdk.start(withAppId: id, withCallback: nil) }
            expect(await answer(lab, over: host, page.content, page.list), code, "", id)
        }
        for timeout in [-1, .nan, .infinity] {
            let lab = GeYanLab()
            await lab.run { GeYanSdk.setEloginTimeout(timeout) }
            expect(await answer(lab, over: host, page.content, page.list), "-20100", "timeout")
        }
        expect(await answer(GeYanLab(), over: host, page.content, page.list), "-20104")
    }

    @Test(
        """
        Without a block a login that cannot be made is refused all the same: nothing is shown, nobody is asked, and \
        the next one is served
        """
    )
    func noBlock() async {
        let lab = GeYanLab()
        _ = await lab.prefetch()
        let asked = await lab.carrier.requests.count
        let ends = Locked<[Situation]>([])
        lab.shell.observe { observation in
            guard case .ended(.login, let error) = observation else { return }
            ends.withLock { $0.append(error?.situation ?? .success) }
        }
        await lab.run {
            GeYanSdk.oneTapLogin(nil, viewModel: nil, contentView: nil, subViewList: nil, loginBlock: nil)
            GeYanSdk.oneTapLogin(host, viewModel: nil, contentView: nil, subViewList: nil, loginBlock: nil)
            await eventually("both logins end") { ends.withLock { $0.count == 2 } }
            #expect(GeYanSdk.currentAuthViewController() == nil)
        }
        #expect(ends.withLock { $0 } == [.controllerMissing, .invalidArgument])
        #expect(host.presentedViewController == nil)
        #expect(await lab.carrier.requests.count == asked)
        #expect(await lab.logIn()?["code"] == 30000)
        #expect(await lab.carrier.tokens.count == 1)
    }

    @Test("A page that is handed over without a block and a model is shown, gives one token, and is closed by the app")
    func noBlockAndNoModel() async {
        let lab = GeYanLab()
        _ = await lab.prefetch()
        let page = await lab.run {
            let page = DrawnViews()
            GeYanSdk.oneTapLogin(
                host, viewModel: nil, contentView: page.content, subViewList: page.list, loginBlock: nil)
            await eventually("the page is shown") { GeYanSdk.currentAuthViewController() != nil }
            screen.settle()
            return page
        }
        screen.tap(page.tick)
        screen.tap(page.login)
        await eventually("the login ends") { !lab.shell.isLoginUnderWay }
        #expect(await lab.carrier.tokens.count == 1)
        #expect(page.content.window != nil, "the page stays")
        await lab.run {
            await withCheckedContinuation { continuation in GeYanSdk.closeAuthVC(false) { continuation.resume() } }
        }
        #expect(page.content.window == nil)
    }

    @Test("GyOneLoginPro gets a token without a block too, and keeps no prefetch after it")
    func proWithoutBlock() async {
        let lab = GeYanLab(facade: .geYanPro)
        await lab.run { GyOneLoginPro.requestToken(completion: nil) }
        #expect(lab.shell.isKeeping)
        await eventually("the prefetch is used up") { !lab.shell.isKeeping }
        #expect(await lab.carrier.tokens.count == 1)
        #expect(
            await lab.carrier.requests.map { $0.url.path.split(separator: "/").last } == ["prefetch", "authorize"])
    }
}
#endif
