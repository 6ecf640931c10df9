#if canImport(UIKit)
import AVFoundation
import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTexts
import BenjiPage
import BenjiProtocol
import BenjiFaceTesting
import BenjiTesting
import CameraTurn
import Foundation
import Testing
import UIKit
import Waiting

@testable import SuperIDSDK

/// An app's own screen for a liveness check.
@MainActor @Suite(.serialized, .camera) struct SuperIDCameraTests {
    private let phone = FacadePhone()

    final class LivenessScreen: SIDCameraManagerViewController {
        var heard: [String] = []
        let preview = ListeningPreview(frame: CGRect(x: 0, y: 0, width: 300, height: 400))

        override func viewDidLoad() {
            super.viewDidLoad()
            view.addSubview(preview)
        }

        override func finishGetFace(withLivenessScore score: Float) { heard.append("face \(score)") }
        override func overTimeGetFace() { heard.append("over") }
        override func cannotAccessCamera() { heard.append("no camera") }
    }

    private func shown(
        _ lab: SuperIDLab, checks: Bool = true, position: SIDPreferCameraDevicePosition = .front
    ) -> LivenessScreen {
        phone.run(lab) { _ in
            let own = LivenessScreen(nibName: nil, bundle: nil)
            phone.host.present(own, animated: false)
            #expect(
                own.configureCameraManager(
                    withLivenessDetectFlag: checks, sidPreview: own.preview, cameraPositon: position))
            return own
        }
    }

    private func heard(_ own: LivenessScreen) async -> [String] {
        await eventually("the screen hears something") { !own.heard.isEmpty }
        return own.heard
    }

    private func loggedIn() async -> SuperIDLab {
        let lab = SuperIDLab(account: SuperIDLab.known)
        _ = await lab.session(.login)
        StandInCamera.reset()
        return lab
    }

    @Test("A check tells over the preview what to do, ends once with the score 1, and says that the face was found")
    func passing() async {
        let lab = await loggedIn()
        let own = shown(lab)
        #expect(own.preview.layer.sublayers?.contains { $0 is AVCaptureVideoPreviewLayer } == true)
        #expect(own.getCameraSetupResult() == .success && !own.isGetFace())
        own.startLivenessDetect()
        own.startLivenessDetect()
        await phone.look(lab) { !own.heard.isEmpty }
        #expect(own.heard == ["face 1.0"] && own.isGetFace())
        #expect(await phone.isDark())
        #expect(own.preview.told.contains(FaceSentence.blink.text(in: .simplifiedChinese)))
        #expect(own.preview.subviews.isEmpty)
        #expect(await lab.service.requests.contains(.finish) && lab.hearer.all.count == 1)
    }

    @Test("A check that fails, or has nobody to compare with, is over; a refused camera is told as such")
    func failing() async {
        let nobody = SuperIDLab()
        StandInCamera.reset()
        let stranger = shown(nobody)
        stranger.startLivenessDetect()
        #expect(await heard(stranger) == ["over"])
        phone.host.dismiss(animated: false)

        let lab = await loggedIn()
        let play = ScriptedFaceService.Play.fails(.faceDiffers, sentence: "other_person")
        await lab.service.play(play, play, play)
        let own = shown(lab)
        own.startLivenessDetect()
        await phone.look(lab) { !own.heard.isEmpty }
        #expect(own.heard == ["over"] && !own.isGetFace())
        own.heard = []
        StandInCamera.status = .denied
        own.startLivenessDetect()
        #expect(await heard(own) == ["no camera"] && own.getCameraSetupResult() == .cameraNotAuthorized)
        own.heard = []
        StandInCamera.reset()
        StandInCamera.isThere = false
        phone.host.dismiss(animated: false)
        let blind = shown(lab)
        blind.startLivenessDetect()
        #expect(await heard(blind) == ["over"] && blind.getCameraSetupResult() == .sessionConfigurationFailed)
    }

    @Test("Without the flag the camera is only shown, until it is stopped, and nothing goes to the server")
    func previewOnly() async {
        let lab = await loggedIn()
        let before = await lab.service.requests.count
        let own = shown(lab, checks: false, position: .back)
        let stops: [() -> Void] = [own.stopLivenssDetect, own.stopCameraSession, own.destoryCameraModule]
        for stop in stops {
            own.startLivenessDetect()
            await phone.look(lab) { !StandInCamera.running.isEmpty }
            #expect(StandInCamera.positions == [.back])
            stop()
            #expect(await phone.isDark())
        }
        #expect(own.heard.isEmpty)
        #expect(await lab.service.requests.count == before)
        own.stopLivenssDetect()
        own.stopCameraSession()
        own.destoryCameraModule()
        StandInCamera.status = .denied
        own.startLivenessDetect()
        #expect(await heard(own) == ["no camera"])
        let unregistered = SuperIDLab(registers: false)
        phone.run(unregistered) { _ in
            let other = LivenessScreen(nibName: nil, bundle: nil)
            #expect(
                !other.configureCameraManager(withLivenessDetectFlag: true, sidPreview: nil, cameraPositon: .front))
        }
    }

    @Test("Stopped at whatever moment, the camera is off and nobody hears of it")
    func stopping() async {
        let lab = await loggedIn()
        for checks in [true, false] {
            let own = shown(lab, checks: checks)
            for pause in 0..<100 {
                // The system asks the person each time.
                StandInCamera.reset()
                own.startLivenessDetect()
                for _ in 0..<pause { await Task.yield() }  // gate: every number of turns must pass
                own.stopLivenssDetect()
                await phone.end(of: own)
                #expect(StandInCamera.running.isEmpty, "after \(pause)")
            }
            #expect(own.heard.isEmpty)
            phone.host.dismiss(animated: false)
        }
    }

    @Test(
        """
        The night mode lights the face once it is enabled, and leaves the screen as it was, also when the screen goes \
        away
        """
    )
    func nightMode() async {
        let lab = await loggedIn()
        let own = shown(lab)
        let screen = phone.screen.window.windowScene?.screen
        own.view.backgroundColor = .black
        own.configNightMode(in: own.view)
        own.openNightMode()
        #expect(!own.isNightModeEnable() && screen?.brightness == 0.5)
        own.enableNightMode()
        own.openNightMode()
        own.openNightMode()
        #expect(own.isNightModeEnable() && screen?.brightness == 1 && own.view.backgroundColor == .white)
        own.closeNightMode()
        own.closeNightMode()
        #expect(screen?.brightness == 0.5 && own.view.backgroundColor == .black)
        // By two taps, unless the app does not want it.
        for (turn, isLit) in [
            ({}, false), (own.openDoubleTapGesture, true), (own.disableDoubleTap, true), (own.enableDoubleTap, false),
        ] as [(() -> Void, Bool)] {
            turn()
            own.driving.doubleTapped()
            #expect((screen?.brightness == 1) == isLit)
        }
        own.openDoubleTapGesture()
        own.disableDoubleTap()
        own.enableDoubleTap()
        own.enableAutoSaveAvatar()
        own.hideFaceLandmarks()
        own.startLivenessDetectUnderNightMode()
        #expect(screen?.brightness == 1)
        await phone.look(lab) { !own.heard.isEmpty }
        #expect(own.heard == ["face 1.0"] && screen?.brightness == 1)
        phone.host.dismiss(animated: false)
        #expect(screen?.brightness == 0.5)
    }

    @Test("Enumerations of the camera have the values of the vendor's headers")
    func values() {
        #expect(
            [SIDAVCamSetupResult.success, .cameraNotAuthorized, .sessionConfigurationFailed].map(\.rawValue)
                == [0, 1, 2])
        #expect([SIDPreferCameraDevicePosition.back, .front].map(\.rawValue) == [1, 2])
    }
}
#endif
