import BenjiProtocol

/// The authority's requirements for a consent before it gives a token (docs/device-dialect.md), except for its age. A
/// scripted carrier has no wall clock with which to compare the phone's.
struct ConsentDuties {
    let appID: AppID
    let trace: TraceID
    /// The scrip that the consent was given for, and the nonce that came with it.
    let scrip: String
    let nonce: String
    let policyVersion: String
    /// The carrier's terms; `nil` for a carrier that is not in the policy.
    let page: CarrierPage?
    /// Not where the person types the number.
    var needsCarrierTerms = true
    let allowsInitialTick: Bool

    private static let loginWords = [
        "登录", "登錄", "登入", "注册", "註冊", "log in", "login", "sign in", "sign up", "register",
    ]

    /// The problem of a consent, for the developer; `nil` when it counts.
    func problem(in consent: String, signedBy key: DevicePublicKey) -> String? {
        let record: ConsentRecord
        do { record = try ConsentRecord(verifying: consent, key: key) } catch { return error.description }
        guard record.appID == appID, record.trace == trace, record.scripHash == ConsentRecord.hash(of: scrip) else {
            return "the consent was given for another app, login or scrip"
        }
        guard record.nonceHash == ConsentRecord.hash(of: nonce) else {
            return "the consent repeats another nonce than this prefetch gave"
        }
        guard record.content.digest == record.contentDigest else {
            return "consent.contentDigest is not the digest of consent.content"
        }
        guard record.shownAt <= record.tickedAt, record.tickedAt <= record.tappedAt else {
            return "the order must be shown, ticked, tapped"
        }
        return problem(in: record.content)
    }

    private func problem(in content: ConsentContent) -> String? {
        guard allowsInitialTick || !content.initiallyTicked else {
            return "the agreement was ticked before the person touched it, which needs the capability ticked-page"
        }
        guard content.policyVersion == policyVersion else {
            return "the page was made from policy \(content.policyVersion), the present one is \(policyVersion)"
        }
        guard !needsCarrierTerms || links(page, in: content) else {
            return "the carrier's terms are not linked under their own title and address"
        }
        let buttons = content.texts.filter { $0.role == .loginButton }.map { $0.text.lowercased() }
        guard buttons.contains(where: { text in Self.loginWords.contains { text.contains($0) } }) else {
            return "the login button does not say 登录, 注册, log in or sign up"
        }
        guard
            content.texts.contains(where: {
                $0.text.contains(ConsentContent.numberPlaceholder) || $0.text.contains("本机号码")
            })
        else { return "neither the masked number nor the words 本机号码 are shown" }
        return nil
    }

    private func links(_ page: CarrierPage?, in content: ConsentContent) -> Bool {
        guard let page else { return false }
        return content.links.contains { $0.title.contains(page.termsTitle) && $0.url == page.termsURL }
    }
}
