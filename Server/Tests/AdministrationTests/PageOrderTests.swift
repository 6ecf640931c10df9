import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Requests
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("Orders about pages")
struct PageOrderTests {
    /// A page that keeps every rule, or one that was changed from it.
    private static func page(_ change: (inout PageDescription) -> Void = { _ in }) throws -> PageDescription {
        let text = """
            {"terms": {"items": [
              {"title": {"zh-Hans": "《用户协议》", "zh-Hant": "《使用者協議》", "en": "User Agreement"}, "url": \
            "https://app.example/a"},
              {"title": {"zh-Hans": "《隐私政策》", "zh-Hant": "《隱私政策》", "en": "Privacy Policy"}, "url": \
            "https://app.example/p"}
            ]}}
            """
        var page = try PageDescription(parsing: Array(text.utf8))
        change(&page)
        return page
    }

    private static func digest(_ page: PageDescription) throws -> String {
        ConsentRecord.digest(ofPage: try page.bytesForDigest())
    }

    /// Logs in on a page. Returns the situation of the refusal, or `nil` after a success.
    private func login(_ world: AdministrationWorld, _ page: PageDescription?) async throws -> Situation? {
        let response = try await world.world.prefetch()
        let consent = try world.world.consent(to: response) { $0.pageDigest = try? page.map(Self.digest) }
        return try await refusal { _ = try await world.world.authorize(response.scrip, consent: consent) }
    }

    private func number(_ answer: JSON) throws -> Int64 { try #require(answer["id"]?.integerValue) }

    @Test("a page is submitted with what the rules find, refused with a reason, and after a change approved")
    func walk() async throws {
        let world = try await AdministrationWorld()
        let developer = world.caller(.developer, apps: [world.app])
        let bad = try Self.page { $0.number.font.size = 10 }
        let badDigest = try Self.digest(bad)
        let first = try await world.order(
            SubmitPage(world.app, bad.json().text, note: "screenshots: files/12"), by: developer)
        #expect(first["state"]?.stringValue == "submitted" && first["digest"]?.stringValue == badDigest)
        #expect(first["errors"]?.integerValue == 1 && first["note"]?.stringValue == "screenshots: files/12")
        let finding = try #require(first["report"]?["findings"]?.arrayValue?.first)
        #expect(finding["rule"]?.stringValue == "number-size" && finding["where"]?.stringValue == "everywhere")
        #expect(try await login(world, bad) == nil, "no review is asked for yet")
        try await world.order(RefusePage(number(first)), reason: "the number is too small")
        let read = try await world.order(ShowPage(number(first), app: world.app), by: developer)
        #expect(read["state"]?.stringValue == "refused" && read["reason"]?.stringValue == "the number is too small")
        #expect(read["page"]?["number"]?["font"]?["size"] == .number("10"))

        let good = try Self.page()
        let second = try await world.order(SubmitPage(world.app, good.json().text), by: developer)
        #expect(second["errors"]?.integerValue == 0)
        #expect(try number(second) > number(first))
        let approved = try await world.order(ApprovePage(number(second)))
        #expect(approved["state"]?.stringValue == "approved" && approved["decidedBy"]?.stringValue == "ops")
        let app = try #require(try await world.world.store.app(world.app))
        #expect(app.requiresPageReview && app.approvedContent == [second["digest"]?.stringValue])
        #expect(try await login(world, good) == nil)
        #expect(try await login(world, bad) == .consentInvalid, "a page that was refused")
        let recoloured = try Self.page { $0.loginButton.cornerRadius = 3 }
        #expect(try await login(world, recoloured) == .consentInvalid, "a page that was changed")
        #expect(try await login(world, nil) == .consentInvalid, "a page that the app draws")

        try await world.order(WithdrawPage(number(second)), reason: "complaints")
        #expect(try await login(world, good) == .consentInvalid, "after it was withdrawn")
        #expect(try await login(world, nil) == .consentInvalid, "and no other page took its place")
        await world.end()
    }

    @Test("each decision has its line, with the page's digest, what it changed of the app, and the reason")
    func lines() async throws {
        let world = try await AdministrationWorld()
        let page = try Self.page()
        let digest = try Self.digest(page)
        let submission = try number(await world.order(SubmitPage(world.app, page.json().text)))
        try await world.order(ApprovePage(submission))
        try await world.order(WithdrawPage(submission), reason: "complaints")
        let lines = try await world.lines()
        #expect(lines.map(\.order) == ["page.withdraw", "page.approve", "page.submit"])
        #expect(lines.allSatisfy { $0.app == world.app && $0.subject == "page \(digest)" && $0.outcome == .success })
        #expect(lines[1].before == #"{"requiresPageReview":false,"approvedContent":[]}"#)
        #expect(lines[1].after == #"{"requiresPageReview":true,"approvedContent":["\#(digest)"]}"#)
        #expect(lines[0].reason == "complaints" && lines[0].after == #"{"approvedContent":[]}"#)
        await world.end()
    }

    @Test("what is decided is not decided again, and nothing is changed by trying")
    func decidedOnce() async throws {
        let world = try await AdministrationWorld()
        let text = try Self.page().json().text
        let submission = try number(await world.order(SubmitPage(world.app, text)))
        #expect(try await world.refused(RefusePage(submission)) == .parameterInvalid, "without a reason")
        #expect(try await world.refused(SubmitPage(world.app, text)) == .parameterInvalid, "it waits already")
        try await world.order(ApprovePage(submission))
        let app = try await world.world.store.app(world.app)
        #expect(try await world.refused(ApprovePage(submission)) == .parameterInvalid)
        #expect(try await world.refused(SubmitPage(world.app, text)) == .parameterInvalid, "it is approved already")
        for order: any Order in [ApprovePage(99), WithdrawPage(99), ShowPage(99)] {
            #expect(try await world.refused(order) == .parameterInvalid)
        }
        #expect(try await world.world.store.app(world.app) == app)
        try await world.order(WithdrawPage(submission))
        #expect(try await world.refused(WithdrawPage(submission)) == .parameterInvalid, "it is withdrawn already")
        let again = try number(await world.order(SubmitPage(world.app, text)))
        #expect(again > submission, "what was withdrawn can be submitted again")
        await world.end()
    }

    @Test("an approved page whose digest was taken out of the app's list is approved once more")
    func takenOut() async throws {
        let world = try await AdministrationWorld()
        let page = try Self.page()
        let submission = try number(await world.order(SubmitPage(world.app, page.json().text)))
        try await world.order(ApprovePage(submission))
        var changes = AppChanges()
        changes[list: .approvedContent] = ListChange(removing: [try Self.digest(page)])
        try await world.order(ChangeApp(world.app, changes))
        #expect(try await login(world, page) == .consentInvalid)
        try await world.order(ApprovePage(submission))
        #expect(try await login(world, page) == nil)
        #expect(try await world.refused(ApprovePage(submission)) == .parameterInvalid, "it is in the list")
        await world.end()
    }

    @Test("a developer takes back a page of theirs that waits, and neither an approved one nor another's")
    func takenBack() async throws {
        let world = try await AdministrationWorld()
        let other = try await world.authority.apps.register(Apps.Registration(name: "other")).record.id
        let developer = world.caller(.developer, apps: [world.app])
        let text = try Self.page().json().text
        let waiting = try number(await world.order(SubmitPage(world.app, text), by: developer))
        let others = try number(await world.order(SubmitPage(other, text)))
        #expect(try await world.refused(WithdrawPage(waiting), by: developer) == .orderNotPermitted, "no app is named")
        #expect(
            try await world.refused(WithdrawPage(others, app: other), by: developer) == .orderNotPermitted)
        #expect(
            try await world.refused(WithdrawPage(others, app: world.app), by: developer) == .parameterInvalid)
        let app = try await world.world.store.app(world.app)
        let taken = try await world.order(WithdrawPage(waiting, app: world.app), by: developer)
        #expect(taken["state"]?.stringValue == "withdrawn" && taken["decidedBy"]?.stringValue == "ops")
        #expect(try await world.world.store.app(world.app) == app, "the app is reviewed as it was")
        #expect(try await world.refused(ApprovePage(waiting)) == .parameterInvalid)

        let again = try number(await world.order(SubmitPage(world.app, text), by: developer))
        try await world.order(ApprovePage(again))
        #expect(
            try await world.refused(WithdrawPage(again, app: world.app), by: developer) == .orderNotPermitted)
        let shown = try await world.order(ShowPage(again))
        #expect(shown["state"]?.stringValue == "approved")
        await world.end()
    }

    @Test("a page that breaks an error's rule is approved only with a reason")
    func approvedWithErrors() async throws {
        let world = try await AdministrationWorld()
        let page = try Self.page { $0.number.font.size = 10 }
        let submission = try number(await world.order(SubmitPage(world.app, page.json().text)))
        #expect(try await world.refused(ApprovePage(submission)) == .parameterInvalid)
        try await world.order(ApprovePage(submission), reason: "agreed with the carrier")
        #expect(try await login(world, page) == nil)
        await world.end()
    }

    @Test("a page that the app draws itself is submitted by what its consents say, and approved by the content digest")
    func drawnByTheApp() async throws {
        let world = try await AdministrationWorld()
        var content = AuthorityWorld.content(try await world.world.prefetch())
        #expect(
            try await world.refused(SubmitPage(world.app, content.json.text)) == .parameterInvalid, "Benji drew it")
        content.drawnBy = .app
        let answer = try await world.order(SubmitPage(world.app, content.json.text))
        #expect(answer["digest"]?.stringValue == content.digest && answer["errors"]?.integerValue == 0)
        var wordless = content
        wordless.texts[2].text = "领取优惠"
        let other = try await world.order(SubmitPage(world.app, wordless.json.text))
        #expect(other["errors"]?.integerValue == 1)
        try await world.order(ApprovePage(number(answer)))
        for (shown, expected) in [
            (content, nil), (AuthorityWorld.content(try await world.world.prefetch()), Situation.consentInvalid),
        ] {
            let response = try await world.world.prefetch()
            let consent = try world.world.consent(to: response) {
                $0.content = shown
                $0.contentDigest = shown.digest
            }
            #expect(
                try await refusal { _ = try await world.world.authorize(response.scrip, consent: consent) } == expected)
        }
        await world.end()
    }

    @Test(
        "a page for codes by SMS needs no carrier's terms where the app's workflow has codes, and its reviewer is told"
    )
    func forCodes() async throws {
        let world = try await AdministrationWorld()
        var content = AuthorityWorld.content(try await world.world.prefetch())
        content.drawnBy = .app
        content.links = [.init(title: "《用户协议》", url: "https://shop.example/terms")]
        let plain = try await world.order(SubmitPage(world.app, content.json.text))
        #expect(plain["errors"]?.integerValue == 1 && plain["warnings"]?.integerValue == 0)
        try await world.order(WithdrawPage(number(plain)))
        try await world.world.change {
            $0.workflow = .oneTapThenSMS
            $0.leastAssurance = .sms
        }
        let answer = try await world.order(SubmitPage(world.app, content.json.text))
        #expect(answer["errors"]?.integerValue == 0 && answer["warnings"]?.integerValue == 1)
        var wordless = content
        wordless.texts[2].text = "领取优惠"
        #expect(try await world.order(SubmitPage(world.app, wordless.json.text))["errors"]?.integerValue == 1)
        // Approved, it still is no page for one tap.
        try await world.order(ApprovePage(number(answer)))
        let response = try await world.world.prefetch()
        let consent = try world.world.consent(to: response) {
            $0.content = content
            $0.contentDigest = content.digest
        }
        #expect(
            try await refusal { _ = try await world.world.authorize(response.scrip, consent: consent) }
                == .consentInvalid)
        await world.end()
    }

    @Test(
        "what is no page is refused with its place, and nothing is kept",
        arguments: [
            ("", "page: "), ("[]", "page: $"), (#"{"lgoo": {}}"#, "page: $.lgoo"),
            (#"{"drawnBy": "app"}"#, "page: $.language"),
        ])
    func malformed(_ text: String, _ beginning: String) async throws {
        let world = try await AdministrationWorld()
        let error = await #expect(throws: Refusal.self) { try await world.order(SubmitPage(world.app, text)) }
        #expect(
            error?.situation == .parameterInvalid && error?.detail.hasPrefix(beginning) == true,
            "\(error?.detail ?? "")")
        #expect(
            try await world.refused(SubmitPage(world.app, "{}" + String(repeating: " ", count: PageJSON.maximumSize)))
                == .parameterInvalid)
        #expect(try await world.refused(SubmitPage(world.unknown, "{}")) == .appUnknown)
        let listed = try await world.order(ListPages(world.app))
        #expect(listed["submissions"] == .array([]))
        await world.end()
    }

    @Test("a note holds no phone number and no control character")
    func notes() async throws {
        let world = try await AdministrationWorld()
        for note in ["call 13900000001", "a\u{1b}b", ""] {
            #expect(try await world.refused(SubmitPage(world.app, "{}", note: note)) == .parameterInvalid)
        }
        await world.end()
    }

    @Test("so many pages of one app wait at the same time, and no more")
    func bounded() async throws {
        let world = try await AdministrationWorld()
        for radius in 1...SubmitPage.maximumWaiting {
            let page = try Self.page { $0.loginButton.cornerRadius = Double(radius) }
            _ = try await world.world.store.addPageSubmission(
                PageSubmission(
                    app: world.app, digest: Self.digest(page), page: "{}", findings: "{}", submittedBy: "ops",
                    submittedAt: world.clock.now), audit: nil)
        }
        #expect(try await world.refused(SubmitPage(world.app, Self.page().json().text)) == .overloaded)
        await world.end()
    }

    @Test(
        """
        so many pages of one app are submitted in 24 hours, also when each is withdrawn, and then it is said when the \
        next may be
        """
    )
    func dayBounded() async throws {
        let world = try await AdministrationWorld()
        let developer = world.caller(.developer, apps: [world.app])
        let text = try Self.page().json().text
        func submit() async throws(Refusal) { try await world.order(SubmitPage(world.app, text), by: developer) }
        for round in 1..<SubmitPage.maximumADay {
            _ = try await world.world.store.addPageSubmission(
                PageSubmission(
                    app: world.app, digest: "\(round)", page: "{}", findings: "{}", submittedBy: "ops",
                    submittedAt: world.clock.now, state: .withdrawn), audit: nil)
        }
        world.clock.advance(by: .seconds(3600))
        let last = try number(await world.order(SubmitPage(world.app, text), by: developer))
        try await world.order(WithdrawPage(last, app: world.app), by: developer)
        let error = await #expect(throws: Refusal.self) { try await submit() }
        #expect(error?.situation == .tooManyRequests)
        #expect(error?.detail.hasSuffix("the next one may be in 1380 minutes") == true, "\(error?.detail ?? "")")
        let unread = SubmitPage(world.app, "no page at all")
        #expect(try await world.refused(unread, by: developer) == .tooManyRequests, "the page was judged before")
        let kept = try await world.world.store.pageSubmissions(app: world.app, state: nil, before: nil, limit: 99)
        #expect(kept.count == SubmitPage.maximumADay)
        let other = try await world.authority.apps.register(Apps.Registration(name: "other")).record.id
        try await world.order(SubmitPage(other, text))
        world.clock.advance(by: .seconds(1380 * 60))
        try await submit()
        await world.end()
    }

    @Test("a developer sees pages of their own apps alone, whatever number they ask for")
    func othersPages() async throws {
        let world = try await AdministrationWorld()
        let other = try await world.authority.apps.register(Apps.Registration(name: "other")).record.id
        let developer = world.caller(.developer, apps: [other])
        let text = try Self.page().json().text
        let submission = try number(await world.order(SubmitPage(world.app, text)))
        let own = try number(await world.order(SubmitPage(other, text), by: developer))
        #expect(try await world.refused(ListPages(), by: developer) == .orderNotPermitted)
        #expect(try await world.refused(ShowPage(submission), by: developer) == .orderNotPermitted)
        #expect(try await world.refused(ShowPage(submission, app: other), by: developer) == .parameterInvalid)
        #expect(try await world.refused(ShowPage(own, app: other), by: developer) == nil)
        let listed = try await world.order(ListPages(other), by: developer)["submissions"]?.arrayValue ?? []
        #expect(listed.map { $0["id"]?.integerValue } == [own])
        let all = try await world.order(ListPages(limit: 1))
        #expect(all["submissions"]?.arrayValue?.count == 1 && all["next"]?.integerValue == own)
        await world.end()
    }

    @Test("of many that decide one page at once one wins, and the app is as that one said")
    func race() async throws {
        let world = try await AdministrationWorld()
        let submission = try number(await world.order(SubmitPage(world.app, Self.page().json().text)))
        let outcomes = await withTaskGroup(of: Bool?.self) { group in
            for position in 0..<16 {
                group.addTask {
                    let order: any Order = position % 2 == 0 ? ApprovePage(submission) : RefusePage(submission)
                    do {
                        _ = try await world.order(order, reason: "raced")
                        return position % 2 == 0
                    } catch { return nil }
                }
            }
            return await group.reduce(into: [Bool]()) { if let won = $1 { $0.append(won) } }
        }
        #expect(outcomes.count == 1)
        let app = try #require(try await world.world.store.app(world.app))
        #expect(app.approvedContent.count == (outcomes.first == true ? 1 : 0))
        await world.end()
    }
}
