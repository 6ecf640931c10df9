#if canImport(UIKit) && canImport(AVFoundation) && canImport(CoreImage)
public import Benji
public import BenjiClient
import BenjiFaceTexts
import BenjiPage
import BenjiProtocol
import Foundation
import UIKit

// The questions to the person.
extension FaceViewController {
    public var language: String { words.rawValue }

    public func numberPage() async -> any AuthorizationPresenter {
        var page = PagePresenter.Options()
        page.language = words
        // A facade's calls may not name the app's own terms; the carrier's are there, and the yes to the face has its
        // own screen.
        if options.numberPage.terms.items.isEmpty { page.strictness = .voidConsent }
        let presenter = PagePresenter(from: self, page: options.numberPage, options: page)
        numberPresenter = presenter
        return presenter
    }

    public func smsPage() async -> (any SMSPresenter)? { options.smsPage }

    public func answer(_ question: FaceQuestion) async -> FaceReply {
        await numberPresenter?.close()
        numberPresenter = nil
        if case .camera = question { return await openCamera() }
        camera?.endCounting()
        let reply = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<FaceReply, Never>) in
                guard !hasLeft, !Task.isCancelled else { return continuation.resume(returning: .left) }
                waiting = continuation
                ask(question)
            }
        } onCancel: {
            Task { @MainActor in self.reply(.left) }
        }
        // The attempt may have failed because the camera was taken away.
        if case .retry = question, case .ready = reply, await camera?.isRunning == false { return await openCamera() }
        return reply
    }

    func ask(_ question: FaceQuestion) {
        let decided: @MainActor (FaceReply) -> Void = { [weak self] in self?.decide($0) }
        switch question {
        case .consent, .searchConsent, .authorization, .groups:
            let view = FaceConsentView(
                question, language: words, look: look, now: surroundings.now, decided: decided)
            if let view { show(view, beginningAt: view.firstElement) }
        case .profile: showProfile()
        case .retry(let sentence, _):
            let message = FaceMessageView(
                title: .tryAgain, text: FaceSentence(rawValue: sentence) ?? .movementMissing, language: words,
                look: look,
                buttons: [(.retry, { decided(.ready) }), (.otherWay, { decided(.declined) })])
            show(message, beginningAt: message.firstElement)
        case .camera: break
        }
    }

    func decide(_ decision: FaceReply) {
        show(FaceWaitView(.checking, words, look))
        reply(decision)
    }

    func showProfile() {
        let profile = FaceProfileView(
            language: words, look: look, sources: AvatarPicker.sources,
            choose: { [weak self] in self?.choosePicture($0) },
            decided: { [weak self] in self?.decide(.profile($0)) })
        show(profile, beginningAt: profile.firstElement)
    }

    func choosePicture(_ source: FaceProfileView.Source) {
        // An album that is refused or left is no obstacle: the picture stays as it was.
        picker = AvatarPicker(source) { [weak self] image in
            self?.picker = nil
            if let image { (self?.screen as? FaceProfileView)?.show(image) }
        }
        picker?.show(from: self)
    }
}
#endif
