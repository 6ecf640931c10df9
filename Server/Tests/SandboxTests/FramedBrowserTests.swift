import BenjiClient
import Testing

@testable import Sandbox

@Suite("The browser of a drawn phone")
struct FramedBrowserTests {
    @Test("it keeps the cookies that servers set, and brings them along until they are ended")
    func cookies() {
        let browser = FramedBrowser()
        var answer: HeaderFields = ["Content-Type": "text/html"]
        answer.append("Set-Cookie", "shop=a=b; Path=/; HttpOnly; SameSite=Strict")
        answer.append("Set-Cookie", "benji-1=x; Max-Age=600; Path=/")
        #expect(
            browser.towardsBrowser(answer).values("Set-Cookie").isEmpty, "the frame's own browser would not keep them")
        #expect(browser.towardsServer([:])["Cookie"] == "shop=a=b; benji-1=x")
        #expect(browser.towardsServer(["Cookie": "shop=stolen"]).values("Cookie") == ["shop=a=b; benji-1=x"])
        _ = browser.towardsBrowser(["Set-Cookie": "shop=c; Path=/"])
        #expect(browser.towardsServer([:])["Cookie"] == "benji-1=x; shop=c")
        _ = browser.towardsBrowser(["Set-Cookie": "benji-1=; Max-Age=0; Path=/"])
        #expect(browser.towardsServer([:])["Cookie"] == "shop=c")
        #expect(FramedBrowser().towardsServer([:])["Cookie"] == nil, "each phone has its own")
    }

    @Test("however many cookies servers set, it keeps so many")
    func bounded() {
        let browser = FramedBrowser()
        for number in 0..<500 { _ = browser.towardsBrowser(["Set-Cookie": "c\(number)=1"]) }
        let kept = browser.towardsServer([:])["Cookie"]?.split(separator: ";").count
        #expect(kept == 64)
    }

    @Test("only the frame is let be: pages of this machine may show it, everything else of the policy stays")
    func policy() {
        let policy = "default-src 'none'; script-src 'self'; form-action 'self'; frame-ancestors 'none'"
        let changed = FramedBrowser().towardsBrowser(["Content-Security-Policy": policy, "X-Frame-Options": "DENY"])
        #expect(changed["X-Frame-Options"] == nil)
        #expect(
            changed["Content-Security-Policy"]
                == "default-src 'none'; script-src 'self'; form-action 'self'; frame-ancestors "
                + "\(FramedBrowser.ancestors)"
        )
        #expect(!FramedBrowser.ancestors.contains("'self'") && !FramedBrowser.ancestors.hasSuffix(" *"))
    }

    @Test("to a server it is a window of its own, and who sends a form is told as it is")
    func window() {
        let headers = FramedBrowser().towardsServer([
            "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site", "Origin": "http://evil.example",
        ])
        #expect(headers["Sec-Fetch-Dest"] == "document")
        #expect(headers["Sec-Fetch-Site"] == "cross-site" && headers["Origin"] == "http://evil.example")
        #expect(FramedBrowser().towardsServer(["Sec-Fetch-Dest": "empty"])["Sec-Fetch-Dest"] == "empty")
    }
}
