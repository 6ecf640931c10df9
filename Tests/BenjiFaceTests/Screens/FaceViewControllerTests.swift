#if canImport(UIKit)
import AVFoundation
import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTesting
import BenjiFaceTexts
import BenjiPage
import BenjiProtocol
import BenjiTesting
import CameraTurn
import Foundation
import Testing
import UIKit

@MainActor @Suite(.serialized, .camera) struct FaceViewControllerTests {
    @Test("The first use: one tap, the tick and the yes, the camera, a name, the app's authorisation; then it is gone")
    func firstUse() async throws {
        let person = FaceScreen(try FaceLab())
        person.begin()
        #expect(await person.proveNumber())
        #expect(await person.until { person.shows(.consentTitle) ? true : nil } == true)
        // Without the tick the button does nothing.
        _ = await person.tap(.consentAgree)
        #expect(person.shows(.consentTitle))
        #expect(await person.tick())
        #expect(await person.tap(.consentAgree))
        await person.look()
        let field = try #require(await person.field())
        #expect(StandInCamera.running.isEmpty)
        #expect(await person.tap(.next))
        #expect(person.shows(.nameMissing) && person.spoken.contains(FaceSentence.nameMissing.text(in: .english)))
        field.standInType("  Ming ")
        #expect(await person.tap(.next))
        #expect(await person.tap(.authorizeAllow))
        guard case .success(.loggedIn(let user))? = await person.result() else {
            return #expect(Bool(false), "\(person.results)")
        }
        #expect(user.userInfo.name == "Ming" && user.userInfo.avatar == nil)
        #expect(person.results.count == 1 && person.host.presentedViewController == nil)
        #expect(await person.lab.service.pictures.count >= 3)
    }

    @Test("An album that is left or refused is no obstacle, and a picture that was chosen arrives small")
    func avatar() async throws {
        var account = FaceLab.known
        account.name = nil
        let person = FaceScreen(try FaceLab(account: account))
        person.begin()
        #expect(await person.proveNumber())
        await person.look()
        let field = try #require(await person.field())
        field.standInType("Ming")
        for picture in [nil, UIImage(standIn: "portrait", width: 3000, height: 4000)] {
            #expect(await person.tap(.fromAlbum))
            let picker = try #require(
                await person.until { person.controller?.presentedViewController as? UIImagePickerController })
            if let picture { picker.standInPick(picture) } else { picker.standInCancel() }
            #expect(await person.until { person.controller?.presentedViewController == nil ? true : nil } == true)
        }
        #expect(await person.tap(.next))
        _ = await person.result()
        let kept = try #require(await person.lab.service.account?.avatar)
        #expect(String(decoding: kept.dropFirst(3), as: UTF8.self) == "portrait 256x256")
    }

    @Test("The prompts follow the server's words, are spoken once, and a failed attempt is explained before the next")
    func prompts() async throws {
        let person = FaceScreen(try FaceLab(account: FaceLab.known), language: .traditionalChinese)
        await person.lab.service.play(.fails(.challengeFailed, sentence: "movement_missing"), .passes)
        person.begin()
        #expect(await person.proveNumber())
        #expect(await person.until { person.shows(.lookStraight) ? true : nil } == true)
        await person.look(1)
        #expect(await person.until { person.shows(.movementMissing) ? true : nil } == true)
        #expect(await person.tap(.retry))
        await person.look()
        guard case .success? = await person.result() else { return #expect(Bool(false), "\(person.results)") }
        let language = Language.traditionalChinese
        #expect(person.spoken.contains(FaceSentence.turnLeft.text(in: language)))
        #expect(person.spoken.filter { $0 == FaceSentence.blink.text(in: language) }.count == 1)
    }

    @Test("A refused camera is explained, leads to the settings, and ends in its own code")
    func refusedCamera() async throws {
        let person = FaceScreen(try FaceLab(account: FaceLab.known))
        StandInCamera.answer = false
        person.begin()
        #expect(await person.proveNumber())
        #expect(await person.until { person.shows(.cameraRefusedPhone) ? true : nil } == true)
        #expect(StandInCamera.questions == 1 && person.results.isEmpty)
        #expect(await person.tap(.openSettings))
        #expect(await person.result() == .failure(BenjiError(.cameraDenied, "")))
        #expect(UIApplication.shared.standInOpened.last?.absoluteString == UIApplication.openSettingsURLString)
        #expect(await !person.lab.service.requests.contains(.challenge))
    }

    @Test("A camera that is allowed only after the person has left goes off again")
    func allowedTooLate() async throws {
        let person = FaceScreen(try FaceLab(account: FaceLab.known))
        StandInCamera.isUndecided = true
        person.begin()
        #expect(await person.proveNumber())
        #expect(await person.until { StandInCamera.isAsking ? true : nil } == true)
        person.host.dismiss(animated: false)
        StandInCamera.isUndecided = false
        #expect(await person.result() != nil)
        #expect(
            await person.until { StandInCamera.starts == 1 && StandInCamera.running.isEmpty ? true : nil } == true)
    }

    @Test(
        """
        A camera that is missing, broken, or that the app has no words for, or that does not run, is a code and no crash
        """
    )
    func brokenCamera() async throws {
        for fault in 0..<4 {
            defer { StandInCamera.refusesToRun = false }
            let person = FaceScreen(try FaceLab(account: FaceLab.known))
            StandInCamera.isThere = fault != 0
            StandInCamera.isBroken = fault == 1
            StandInCamera.refusesToRun = fault == 3
            person.begin(declaresCamera: fault != 2)
            #expect(await person.proveNumber())
            #expect(await person.tap(.otherWay))
            #expect(await person.result() == .failure(BenjiError(.cameraFailed, "")))
            #expect(fault != 2 || StandInCamera.questions == 0)
        }
    }

    @Test("A camera that a call takes away, or that stops with an error, goes on by itself")
    func interruptedCamera() async throws {
        let person = FaceScreen(try FaceLab(account: FaceLab.known))
        person.begin()
        #expect(await person.proveNumber())
        #expect(await person.until { person.shows(.lookStraight) ? true : nil } == true)
        let sessions = StandInCamera.running
        #expect(sessions.count == 1)
        StandInCamera.interrupt()
        #expect(StandInCamera.running.isEmpty)
        StandInCamera.endInterruption(of: sessions)
        #expect(await person.until { StandInCamera.running.isEmpty ? nil : true } == true)
        StandInCamera.fail()
        #expect(await person.until { StandInCamera.running.isEmpty ? nil : true } == true)
        #expect(StandInCamera.starts == 3)
        // Once the session is over nothing turns it on again.
        #expect(await person.tap(.close))
        #expect(await person.result() == .failure(BenjiError(.userCancelled, "")))
        #expect(await person.until { StandInCamera.running.isEmpty ? true : nil } == true)
        StandInCamera.endInterruption(of: sessions)
        StandInCamera.settle(sessions)
        #expect(StandInCamera.running.isEmpty && StandInCamera.starts == 3)
    }

    @Test("Closing at any moment ends the session as the person's choice, and turns the camera off")
    func closing() async throws {
        let person = FaceScreen(try FaceLab(account: FaceLab.known))
        person.begin()
        #expect(await person.proveNumber())
        #expect(await person.until { person.shows(.lookStraight) ? true : nil } == true)
        #expect(await person.tap(.close))
        #expect(await person.result() == .failure(BenjiError(.userCancelled, "")))
        #expect(await person.until { StandInCamera.running.isEmpty ? true : nil } == true)
        #expect(person.host.presentedViewController == nil)

        let other = FaceScreen(try FaceLab())
        other.begin()
        #expect(await other.proveNumber())
        #expect(await other.until { other.shows(.consentTitle) ? true : nil } == true)
        #expect(other.controller?.accessibilityPerformEscape() == true)
        #expect(await other.result() == .failure(BenjiError(.userCancelled, "")))
    }

    @Test("An app that takes the screen down ends the session and hears of it once")
    func takenDown() async throws {
        let person = FaceScreen(try FaceLab(account: FaceLab.known))
        person.begin()
        #expect(await person.proveNumber())
        #expect(await person.until { person.shows(.lookStraight) ? true : nil } == true)
        person.host.dismiss(animated: false)
        guard case .failure? = await person.result() else { return #expect(Bool(false)) }
        #expect(await person.until { StandInCamera.running.isEmpty ? true : nil } == true)
        #expect(person.results.count == 1)
        #expect(await person.until { person.controller == nil ? true : nil } == true)
    }

    @Test(
        """
        The app's colour reaches the buttons that go on, what is written on them stays readable, and a no keeps its own
        """
    )
    func theme() async throws {
        for (colour, title) in [(UIColor.white, UIColor.black), (.black, .white), (.clear, .white)] {
            let person = FaceScreen(try FaceLab())
            var options = FaceViewController.Options()
            options.themeColor = colour
            person.begin(options: options)
            #expect(await person.proveNumber())
            #expect(await person.until { person.shows(.consentTitle) ? true : nil } == true)
            let traits = UITraitCollection()
            let yes = try #require(person.button(.consentAgree))
            let no = try #require(person.button(.consentDecline))
            #expect(yes.backgroundColor?.resolvedColor(with: traits) == colour.withAlphaComponent(1))
            #expect(yes.currentTitleColor.resolvedColor(with: traits) == title)
            #expect(
                no.currentTitleColor.resolvedColor(with: traits) == UIColor(red: 0, green: 0.35, blue: 0.85, alpha: 1))
            _ = await person.tap(.close)
            _ = await person.result()
        }
    }

    @Test("Being found in groups is a screen of its own that names the app, and its no leads on")
    func groups() async throws {
        for joins in [true, false] {
            let person = FaceScreen(try FaceLab(account: FaceLab.known))
            await person.lab.service.add(group: "g1", finding: nil)
            person.begin()
            #expect(await person.proveNumber())
            await person.look()
            let title = FaceSentence.groupsTitle.text(in: .english, app: "示例应用")
            #expect(await person.until { person.texts.contains(title) ? true : nil } == true)
            #expect(person.shows(.groupsText))
            #expect(await person.tap(joins ? .authorizeAllow : .authorizeDeny))
            guard case .success(.loggedIn)? = await person.result() else {
                return #expect(Bool(false), "\(person.results)")
            }
            #expect(await person.lab.service.account?.joinsGroups == joins)
        }
    }

    @Test("A search says before the camera what becomes of the face, and hands over whom it found")
    func search() async throws {
        let person = FaceScreen(try FaceLab())
        await person.lab.service.add(group: "g1", finding: "open-7")
        person.begin(.search(group: "g1"))
        #expect(await person.until { person.shows(.searchConsentText) ? true : nil } == true)
        #expect(!person.shows(.consentText) && StandInCamera.running.isEmpty)
        #expect(await person.tick())
        #expect(await person.tap(.consentAgree))
        #expect(await person.until { person.shows(.searchTitle) ? true : nil } == true)
        await person.look()
        #expect(await person.result() == .success(.found(openID: "open-7")))
        #expect(await !person.lab.engine.isAuthorized)
    }

    @Test("Larger text moves nothing out of reach: every button lies on the screen, and nothing over another")
    func largeText() async throws {
        let person = FaceScreen(try FaceLab())
        person.screen.setTraits(textSize: .accessibilityExtraExtraExtraLarge)
        person.begin()
        #expect(await person.proveNumber())
        #expect(await person.until { person.shows(.consentTitle) ? true : nil } == true)
        person.screen.settle()
        let window = person.screen.window
        let frames = [FaceSentence.consentAgree, .consentDecline, .close].compactMap { person.button($0) }
            .map { $0.convert($0.bounds, to: window) }
        #expect(frames.count == 3)
        for frame in frames { #expect(window.bounds.contains(frame) && frame.height >= 44 && frame.width >= 44) }
        #expect(!frames[0].intersects(frames[1]))
        _ = await person.tap(.close)
        _ = await person.result()
    }
}
#endif
