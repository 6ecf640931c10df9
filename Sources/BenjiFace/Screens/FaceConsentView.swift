#if canImport(UIKit)
import BenjiFaceProtocol
import BenjiFaceTexts
import BenjiPage
import BenjiProtocol
import Foundation
import UIKit

/// A question with a yes and a no. The separate consent has a box to tick and the terms to read; the app's
/// authorisation has neither.
@MainActor final class FaceConsentView: FaceScreenView {
    private let texts: [String]
    private let yes: String
    private let language: Language
    private let now: @MainActor () -> Timestamp
    private let decided: @MainActor (FaceReply) -> Void
    private let shownAt: Timestamp
    private var tickedAt: Timestamp?
    private let tick = UIButton(type: .custom)
    private var agree: UIButton?

    /// Creates the view of a question with a yes and a no; `nil` for every other question.
    convenience init?(
        _ question: FaceQuestion, language: Language, look: FaceLook, now: @escaping @MainActor () -> Timestamp,
        decided: @escaping @MainActor (FaceReply) -> Void
    ) {
        let (title, text, app, terms): (FaceSentence, FaceSentence, String, FaceTerms?)
        switch question {
        case .consent(let asked): (title, text, app, terms) = (.consentTitle, .consentText, "", asked)
        case .searchConsent(let asked): (title, text, app, terms) = (.consentTitle, .searchConsentText, "", asked)
        case .authorization(let asked):
            (title, text, app, terms) = (.authorizeTitle, .authorizeText, asked.appName, nil)
        case .groups(let asked): (title, text, app, terms) = (.groupsTitle, .groupsText, asked.appName, nil)
        case .profile, .camera, .retry: return nil
        }
        self.init(
            title: title.text(in: language, app: app), text: text.text(in: language, app: app), terms: terms,
            yes: terms == nil ? .authorizeAllow : .consentAgree, no: terms == nil ? .authorizeDeny : .consentDecline,
            language: language, look: look, now: now,
            open: { UIApplication.shared.open($0, options: [:], completionHandler: nil) }, decided: decided)
    }

    /// - Parameters:
    ///   - terms: the terms to tick; `nil` for a question that a button answers alone.
    ///   - open: shows the terms.
    init(
        title: String, text: String, terms: FaceTerms?, yes: FaceSentence, no: FaceSentence, language: Language,
        look: FaceLook, now: @escaping @MainActor () -> Timestamp,
        open: @escaping @MainActor (URL) -> Void, decided: @escaping @MainActor (FaceReply) -> Void
    ) {
        let tickText = FaceSentence.consentTick.text(in: language)
        texts = [title, text] + (terms == nil ? [] : [tickText])
        self.yes = yes.text(in: language)
        self.language = language
        self.now = now
        self.decided = decided
        shownAt = now()
        super.init(title: title, look: look)
        let font = look.font(16)
        let body = FaceStyle.label(text, font, color: FaceStyle.quiet)
        body.textAlignment = .left
        add(body)
        if let terms {
            tick.setTitle("☐ " + tickText, for: .normal)
            tick.setTitleColor(FaceStyle.text, for: .normal)
            tick.titleLabel?.font = font
            tick.accessibilityLabel = tickText + terms.title
            tick.addAction(UIAction { [weak self] _ in self?.toggle() }, for: .touchUpInside)
            add(tick, height: FaceStyle.button, gap: 8)
            let link = FaceStyle.plain(terms.title, font) { if let url = URL(string: terms.url) { open(url) } }
            link.accessibilityTraits = .link
            add(link, height: FaceStyle.button, gap: 0)
        }
        let agree = look.primary(self.yes) { [weak self] in
            self?.tapYes()
        }
        agree.isEnabled = terms == nil
        agree.alpha = terms == nil ? 1 : 0.4
        add(button: agree)
        add(button: FaceStyle.plain(no.text(in: language), font) { decided(.declined) })
        self.agree = agree
    }

    private func toggle() {
        tickedAt = tickedAt == nil ? now() : nil
        let isTicked = tickedAt != nil
        tick.setTitle((isTicked ? "☑ " : "☐ ") + FaceSentence.consentTick.text(in: language), for: .normal)
        tick.isSelected = isTicked
        tick.accessibilityTraits = isTicked ? [.button, .selected] : .button
        agree?.isEnabled = isTicked
        agree?.alpha = isTicked ? 1 : 0.4
    }

    private func tapYes() {
        let tapped = now()
        decided(
            .agreed(
                FaceAgreement(
                    texts: texts, button: yes, language: language.rawValue, shownAt: shownAt,
                    tickedAt: tickedAt ?? tapped, tappedAt: tapped)))
    }
}
#endif
