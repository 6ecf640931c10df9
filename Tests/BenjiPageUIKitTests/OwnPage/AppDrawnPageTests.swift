import BenjiPage
import BenjiPageUIKit
import Testing
import UIKit

/// A page as an app draws it: a number, a button, the terms, a tick and a picture.
@MainActor private final class OwnPage: AppDrawnPageViewController {
    let number = UILabel(frame: CGRect(x: 100, y: 200, width: 200, height: 30))
    let login = UIButton(frame: CGRect(x: 40, y: 300, width: 313, height: 48))
    let terms = UILabel(frame: CGRect(x: 60, y: 700, width: 300, height: 40))
    let tick = UIButton(frame: CGRect(x: 20, y: 700, width: 24, height: 24))
    let card = UIView(frame: CGRect(x: 0, y: 0, width: 393, height: 852))
    var time: Int64 = 1000
    /// Keeps the screen as long as the page is there.
    var screen: StandInScreen?

    override func viewDidLoad() {
        super.viewDidLoad()
        facts = .sample(.mobile)
        clock = PageClock(now: { self.time }, after: { _, action in action() })
        view.backgroundColor = .white
        view.addSubview(card)
        number.text = "138****0000"
        number.textAlignment = .center
        login.setTitle("一键登录", for: .normal)
        login.backgroundColor = .blue
        terms.text = "登录即同意《中国移动认证服务条款》"
        terms.font = .systemFont(ofSize: 12)
        terms.numberOfLines = 0
        tick.setImage(UIImage(systemName: "square"), for: .normal)
        tick.addAction(UIAction { [tick] _ in tick.isSelected.toggle() }, for: .touchUpInside)
        for child in [number, login, terms, tick] { card.addSubview(child) }
    }

    /// Looks only whether everything is there, as a check of names would.
    var isThere: Bool {
        func texts(_ view: UIView) -> [String] {
            [(view as? UILabel)?.text, (view as? UIButton)?.currentTitle].compactMap { $0 }
                + view.subviews.flatMap(texts)
        }
        let all = texts(view)
        return all.contains { $0.contains("****") } && all.contains { $0.contains("登录") && !$0.contains("《") }
            && all.contains { $0.contains("中国移动认证服务条款") }
    }
}

@MainActor @Suite struct AppDrawnPageTests {
    private func shown(_ change: (OwnPage) -> Void = { _ in }) -> (page: OwnPage, screen: StandInScreen) {
        let page = OwnPage(nibName: nil, bundle: nil)
        page.loadViewIfNeeded()
        let screen = StandInScreen(page)
        page.screen = screen
        change(page)
        screen.settle()
        return (page, screen)
    }

    /// Which rules keep the page from being used.
    private func broken(_ page: OwnPage) -> Set<PageRule> {
        do {
            _ = try page.review()
            return []
        } catch {
            return Set(error.findings.map(\.rule))
        }
    }

    @Test("A page that shows number, login button and terms may be used, for every carrier")
    func good() throws {
        let (page, _) = shown()
        #expect(broken(page) == [])
        for carrier in PageCarrier.documented {
            let facts = PageFacts.sample(carrier)
            page.facts = facts
            page.terms.text = "登录即同意《\(facts.duties.termsTitle)》"
            #expect(broken(page) == [])
        }
    }

    @Test("Whatever keeps a person from seeing or using it counts as not there, though it is in the tree of views")
    func hidden() throws {
        let ways: [(String, PageRule, @MainActor (OwnPage) -> Void)] = [
            ("hidden terms", .termsVisible, { $0.terms.isHidden = true }),
            ("transparent terms", .termsVisible, { $0.terms.alpha = 0.02 }),
            ("terms in something hidden", .termsVisible, { $0.card.alpha = 0 }),
            (
                "terms in the colour of the page", .termsVisible,
                {
                    $0.terms.textColor = UIColor(white: 0.98, alpha: 1)
                    $0.terms.text = $0.terms.text
                }
            ),
            ("tiny terms", .termsVisible, { $0.terms.frame = CGRect(x: 60, y: 700, width: 4, height: 2) }),
            (
                "terms that do not fit", .termsVisible,
                {
                    $0.terms.numberOfLines = 1
                    $0.terms.frame.size.width = 60
                }
            ),
            ("terms off the screen", .termsVisible, { $0.terms.frame.origin.y = 900 }),
            (
                "terms cut off", .termsVisible,
                {
                    $0.card.clipsToBounds = true
                    $0.card.frame.size.height = 705
                }
            ),
            ("terms scaled away", .termsVisible, { $0.terms.transform = CGAffineTransform(scaleX: 0.001, y: 0.001) }),
            (
                "covered terms", .termsVisible,
                {
                    let cover = UIView(frame: CGRect(x: 0, y: 690, width: 393, height: 100))
                    cover.backgroundColor = .white
                    $0.view.addSubview(cover)
                }
            ),
            (
                "terms covered by a view of the window", .termsVisible,
                {
                    let cover = UIView(frame: CGRect(x: 0, y: 690, width: 393, height: 100))
                    cover.backgroundColor = .white
                    $0.view.window?.addSubview(cover)
                }
            ),
            ("number hidden", .numberVisible, { $0.number.isHidden = true }),
            ("number moved off", .numberVisible, { $0.number.frame.origin.x = -500 }),
            ("login hidden", .loginUsable, { $0.login.isHidden = true }),
            ("login disabled for good", .loginUsable, { $0.login.isEnabled = false }),
            (
                "login under something clear that takes its taps", .loginUsable,
                { $0.view.addSubview(UIView(frame: CGRect(x: 0, y: 280, width: 393, height: 100))) }
            ),
            ("a luring button", .loginUsable, { $0.login.setTitle("领取红包", for: .normal) }),
            ("another carrier's terms", .termsVisible, { $0.terms.text = "登录即同意《天翼账号服务与隐私协议》" }),
        ]
        for (name, rule, hide) in ways {
            let (page, _) = shown(hide)
            #expect(broken(page).contains(rule), "\(name)")
        }
    }

    @Test("A check that only looks whether everything is there lets most of it through")
    func naive() {
        let (page, _) = shown {
            $0.terms.alpha = 0.02
            $0.number.frame.origin.x = -500
            $0.login.isEnabled = false
        }
        #expect(page.isThere)
        #expect(broken(page).count >= 3)
    }

    @Test("The words 本机号码 stand in for the number (rule 3 of TYRZSDK's document)")
    func words() {
        let (page, _) = shown { $0.number.text = "使用本机号码登录" }
        #expect(broken(page) == [])
    }

    @Test("An address that is in the text must be the carrier's own; one that cannot be seen is taken on trust")
    func addresses() {
        let duties = CarrierDuties.standard(.mobile)
        func terms(_ url: String) -> NSAttributedString {
            let text = NSMutableAttributedString(
                string: "同意《\(duties.termsTitle)》", attributes: [.font: UIFont.systemFont(ofSize: 12)])
            text.addAttribute(.link, value: url, range: NSRange(location: 2, length: duties.termsTitle.count + 2))
            return text
        }
        #expect(broken(shown { $0.terms.attributedText = terms(duties.termsURL) }.page) == [])
        #expect(
            broken(shown { $0.terms.attributedText = terms("https://evil.example/") }.page).contains(.carrierTermsExact)
        )
    }

    @Test("What is drawn as a picture counts once the app says what it is")
    func declared() {
        let (page, _) = shown { page in
            page.login.setTitle(nil, for: .normal)
            page.login.setImage(UIImage(standIn: "login"), for: .normal)
        }
        #expect(broken(page).contains(.loginUsable))
        page.declare(page.login, as: .login)
        // Usable, but without words that describe it.
        #expect(broken(page) == [.loginWording])
    }

    @Test(
        "The yes says what was on the page, with a placeholder for the number, and when it was shown, ticked and tapped"
    )
    func snapshot() throws {
        let (page, screen) = shown()
        page.declare(page.tick, as: .tick)
        page.time = 2000
        screen.tap(page.tick)
        page.time = 3000
        let shown = try page.review()
        #expect(shown.times == PageTimes(shown: 1000, ticked: 2000, tapped: 3000))
        #expect(!shown.isInitiallyTicked)
        #expect(shown.texts.map(\.role) == [.number, .loginButton, .terms])
        #expect(shown.texts.first?.text == PageContent.numberPlaceholder)
        #expect(shown.links == [TextBlock.Link(title: "中国移动认证服务条款", url: CarrierDuties.standard(.mobile).termsURL)])
        #expect(shown.scene[.tick]?.isTicked == true)
    }

    @Test("A page that is not on the screen shows nothing")
    func away() {
        let page = OwnPage(nibName: nil, bundle: nil)
        page.loadViewIfNeeded()
        #expect(broken(page) == [.numberVisible, .loginUsable, .carrierTerms])
    }
}
