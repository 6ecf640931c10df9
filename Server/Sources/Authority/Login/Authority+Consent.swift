import BenjiPolicy
package import BenjiProtocol
import Crypto
package import Requests
package import Store

/// Whether a person really said yes to this login.
extension Authority {
    /// The consent of a login; `nil` for a verification, which has no page.
    package func checkedConsent(
        _ request: AuthorizeRequest, device: DeviceCall, scrip: ScripRecord, app: AppRecord
    ) throws(Refusal) -> ConsentRecord? {
        guard request.purpose == .login else {
            guard request.consent == nil else {
                throw failure(.consentInvalid, "a verification token is earned without a page and carries no consent")
            }
            return nil
        }
        guard let text = request.consent else {
            throw failure(.consentMissing, "a login token needs the person's consent")
        }
        let consent = try signedConsent(text, by: device.proof.key)
        guard consent.appID == app.id, consent.trace == scrip.trace,
            consent.scripHash == ConsentRecord.hash(of: request.scrip)
        else { throw failure(.consentInvalid, "the consent was given for another app, login or scrip") }
        guard Base64URL.decode(consent.nonceHash) == scrip.nonceHash.bytes else {
            throw failure(.consentInvalid, "the consent repeats another nonce than this prefetch gave")
        }
        try check(
            consent, of: app, carriersTerms: .shown(configuration.policy.carriers[scrip.carrier]?.page))
        return consent
    }

    func signedConsent(_ text: String, by key: DevicePublicKey) throws(Refusal) -> ConsentRecord {
        do { return try ConsentRecord(verifying: text, key: key) } catch {
            throw failure(.consentInvalid, error.description)
        }
    }

    /// Checks that hold for every consent, whatever it is for.
    func check(
        _ consent: ConsentRecord, of app: AppRecord, carriersTerms: ConsentRules.CarriersTerms
    ) throws(Refusal) {
        guard consent.content.digest == consent.contentDigest else {
            throw failure(.consentInvalid, "consent.contentDigest is not the digest of consent.content")
        }
        // They are compared with approved ones, and support reads them in the trace.
        for (name, digest) in [("pageDigest", consent.pageDigest), ("sceneDigest", consent.sceneDigest)] {
            guard let digest, Base64URL.decode(digest)?.count != 32 else { continue }
            throw failure(.consentInvalid, "consent.\(name) is no SHA-256 in base64url")
        }
        guard consent.pageDigest == nil || consent.content.drawnBy != .app else {
            throw failure(.consentInvalid, "a page that the app draws has no description, and so no pageDigest")
        }
        try checkTimes(of: consent)
        if let problem = ConsentRules.problem(
            in: consent.content, policyVersion: configuration.policy.version,
            carriersTerms: carriersTerms, allowsInitialTick: app.capabilities.contains(.tickedPage))
        {
            throw failure(.consentInvalid, problem)
        }
        guard app.accepts(pageDigest: consent.pageDigest, contentDigest: consent.contentDigest) else {
            let digest = consent.pageDigest ?? consent.contentDigest
            throw failure(
                .consentInvalid, "this page is not one that was approved for the app: its digest is \(digest)")
        }
    }

    /// Shown, ticked and tapped in this order, and just now.
    package func checkTimes(of consent: ConsentRecord) throws(Refusal) {
        guard consent.shownAt <= consent.tickedAt, consent.tickedAt <= consent.tappedAt else {
            throw failure(.consentInvalid, "the order must be shown, ticked, tapped")
        }
        let now = clock.now
        let distance = consent.tappedAt > now ? consent.tappedAt - now : now - consent.tappedAt
        guard distance <= DeviceProof.maximumAge else {
            throw failure(.consentInvalid, "the tap is more than two minutes from the server's time")
        }
    }

    /// The authority's signed statement that it received a consent. Anyone can check it with ``Vault/receiptKey``.
    ///
    /// It states the assurance. At `net` the consent only proves that someone at the address signed it. A script with
    /// its own key can sign one without showing a page.
    package func receipt(
        for consent: ConsentRecord, evidence: String, openID: String, assurance: Assurance, at moment: Timestamp
    ) throws(Refusal) -> String {
        do {
            return try CompactJWS.sign(
                header: [JSON.Member("typ", .string(ConsentReceipt.type))],
                payload: .object([
                    "app": .string(consent.appID.rawValue), "sub": .string(openID),
                    "trace": .string(consent.trace.rawValue), "contentDigest": .string(consent.contentDigest),
                    "consentHash": .string(Base64URL.encode(Array(SHA256.hash(data: Array(evidence.utf8))))),
                    "assurance": .string(assurance.rawValue), "tickedAt": .integer(consent.tickedAt.milliseconds),
                    "tappedAt": .integer(consent.tappedAt.milliseconds), "iat": .integer(moment.seconds),
                ]), with: vault.receiptSigner)
        } catch {
            throw failure(.internalError, "the consent receipt could not be signed")
        }
    }
}

extension AppRecord {
    /// Whether a yes counts on approved pages alone.
    package var needsApprovedPages: Bool { requiresPageReview || !approvedContent.isEmpty }

    /// Whether a yes on this page counts for the app, as far as pages are reviewed.
    ///
    /// - Parameters:
    ///   - pageDigest: of the description; `nil` for a page that has none.
    ///   - contentDigest: of what the page says. It may be approved in the description's place, and is all that there
    ///     is of a page that the app draws.
    package func accepts(pageDigest: String?, contentDigest: String) -> Bool {
        guard needsApprovedPages else { return true }
        return pageDigest.map(approvedContent.contains) == true || approvedContent.contains(contentDigest)
    }
}

extension ConsentContent {
    /// The shown content of a kept consent. Its signature was checked when it was received.
    static func kept(in record: String) -> ConsentContent? {
        guard let content = try? CompactJWS(parsing: record).payload["content"] else { return nil }
        return try? ConsentContent(content)
    }

    private static let quotes = ["“”", "\"\"", "‘’", "「」", "『』", "《》", "【】"]

    /// Whether the ticked terms, or a link's title, name this app between quotation marks. A bare name may be part of
    /// other words, and other texts on the page are not agreed to.
    func names(_ app: String) -> Bool {
        let names = Self.quotes.map { "\($0.prefix(1))\(app)\($0.suffix(1))" }
        let shown = texts.filter { $0.role == .terms }.map(\.text) + links.map(\.title)
        return shown.contains { text in names.contains { text.contains(bytesOf: $0) } }
    }
}

/// Rules for the words on a page before a consent to it counts (China Mobile's document §2.4.2 and today's rules).
///
/// Geometry, visibility and the rest of the rules belong to the page engine; these few can be told from the content
/// alone.
package enum ConsentRules {
    static let loginWords = ["登录", "登錄", "登入", "注册", "註冊", "log in", "login", "sign in", "sign up", "register"]

    /// Whether the page must link the terms of the carrier that reports the number.
    package enum CarriersTerms {
        /// Those of this page; `nil` if the policy does not know the carrier, and then nothing is good enough.
        case shown(CarrierPage?)
        /// The carrier reports nothing: the person types the number, and a code.
        case notNeeded
    }

    /// The broken rule, or `nil`.
    package static func problem(
        in content: ConsentContent, policyVersion: String, carriersTerms: CarriersTerms, allowsInitialTick: Bool
    ) -> String? {
        guard allowsInitialTick || !content.initiallyTicked else {
            return "the agreement was ticked before the person touched it, which needs the capability ticked-page"
        }
        guard content.policyVersion == policyVersion else {
            return
                "the page was made from policy \(content.policyVersion.prefix(64).printable), the present one is "
                + "\(policyVersion)"
        }
        if case .shown(let page) = carriersTerms {
            guard let page,
                content.links.contains(where: {
                    $0.url == page.termsURL && $0.title.contains(bytesOf: page.termsTitle)
                })
            else { return "the carrier's terms are not linked under their own title and address" }
        }
        guard content.texts.contains(where: { $0.role == .loginButton && saysLogin($0.text) }) else {
            return "the login button does not say 登录, 注册, log in or sign up"
        }
        let numbers = [ConsentContent.numberPlaceholder, "本机号码"]
        guard content.texts.contains(where: { line in numbers.contains { line.text.contains(bytesOf: $0) } }) else {
            return "neither the masked number nor the words 本机号码 are shown"
        }
        return nil
    }

    private static func saysLogin(_ text: String) -> Bool {
        let text = text.lowercased()
        return loginWords.contains { text.contains(bytesOf: $0) }
    }
}

extension String {
    /// Whether the word's bytes in UTF-8 are among the text's. `contains` compares characters, which takes ten times as
    /// long.
    func contains(bytesOf word: String) -> Bool {
        var (text, word) = (self, word)
        return text.withUTF8 { text in
            word.withUTF8 { word in
                guard let first = word.first else { return true }
                var start = 0
                while start + word.count <= text.count {
                    if text[start] == first, text[start..<(start + word.count)].elementsEqual(word) { return true }
                    start += 1
                }
                return false
            }
        }
    }
}
