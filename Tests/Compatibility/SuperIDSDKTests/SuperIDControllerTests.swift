#if canImport(UIKit)
import AVFoundation
import BenjiClient
import BenjiFace
import BenjiProtocol
import BenjiTesting
import CameraTurn
import Foundation
import Testing
import UIKit
import Waiting

@testable import SuperIDSDK

/// The controllers that the documented calls return for an app to present, on a screen with a camera.
@MainActor @Suite(.serialized, .camera) struct SuperIDControllerTests {
    private let phone = FacadePhone()
    private var host: UIViewController { phone.host }

    private func code(_ lab: SuperIDLab, _ call: (SuperID) throws -> UIViewController) -> Int? {
        do {
            _ = try phone.run(lab, call)
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    @Test("Wrong arguments are an error of the documented code in the place of a view controller")
    func wrong() {
        let lab = SuperIDLab()
        #expect(code(lab) { try $0.obtainLoginViewController(withPhoneNumber: "+85291234567") } == -1014)
        #expect(code(lab) { try $0.obtainAuthViewController(withUid: "", phoneNumber: nil, appUserInfo: nil) } == -1008)
        #expect(
            code(lab) { try $0.obtainAuthViewController(withUid: "x", phoneNumber: nil, appUserInfo: ["name": 3]) }
                == -1006)
        #expect(code(lab) { try $0.obtainFaceFeatureViewController() } == -1012)
        #expect(code(SuperIDLab(registers: false)) { try $0.obtainLoginViewController() } == -1011)
        #expect(code(lab) { try $0.obtainLoginViewController() } == nil)
    }

    @Test("A login that is presented runs, takes itself down, and tells the delegate once, after it is gone")
    func login() async throws {
        let lab = SuperIDLab(account: SuperIDLab.known)
        _ = await lab.session(.login)
        StandInCamera.reset()
        let controller = try phone.run(lab) { try $0.obtainLoginViewController() }
        host.present(controller, animated: true)
        await phone.look(lab) { lab.hearer.all.count > 1 }
        guard case .login(let info, "user-1", nil) = await lab.hearer.next() else {
            return #expect(Bool(false), "\(lab.hearer.all)")
        }
        #expect(info["name"] == "小明" && host.presentedViewController == nil)
        #expect(lab.hearer.all.count == 2)
    }

    @Test("Later calls hand out a navigation controller without a bar, which runs the session and goes with it")
    func navigation() async throws {
        let lab = SuperIDLab(account: SuperIDLab.known)
        #expect(code(lab) { _ in try SuperID.obtainFaceVerifyViewController(withRetryCount: nil) } == -1009)
        #expect(code(lab) { _ in try SuperID.obtainFaceFeatureViewController() } == -1012)
        #expect(code(lab) { _ in try SuperID.obtainLELoginViewController() } == -1011)
        let model = SIDAppUserInfoModel()
        model.phone = "+85291234567"
        #expect(code(lab) { _ in try SuperID.obtainLoginViewController(with: model) } == -1014)
        _ = await lab.session(.login)
        let hearer = LaterHearer()
        lab.run { _ in SuperID.setupSuperIDDelegate(hearer) }
        StandInCamera.reset()
        let made: [(String, () throws -> UINavigationController)] = [
            ("login open-0000", { try SuperID.obtainLoginViewController(with: nil) }),
            ("verified 0", { try SuperID.obtainFaceVerifyViewController(withRetryCount: 2) }),
        ]
        for (index, (told, make)) in made.enumerated() {
            let controller = try phone.run(lab) { _ in try make() }
            #expect(controller.isNavigationBarHidden && controller.modalPresentationStyle == .fullScreen)
            #expect(controller.supportedInterfaceOrientations == .portrait)
            host.present(controller, animated: true)
            await phone.look(lab) { hearer.all.count > index }
            #expect(hearer.all.last == told && host.presentedViewController == nil)
        }
        // An app that takes the navigation controller down ends the session.
        let controller = try phone.run(lab) { _ in try SuperID.obtainFaceVerifyViewController(withRetryCount: nil) }
        host.present(controller, animated: true)
        host.dismiss(animated: true)
        #expect(await hearer.next(after: 2) == "verified 1")
        SuperID.sidViewControllerWillTransition(to: .zero, with: nil, fromSourceViewController: host)
    }

    @Test("Sessions that present themselves do so over what the person sees, and tell their block once they are gone")
    func coreLoginKit() async throws {
        let lab = SuperIDLab(account: SuperIDLab.known)
        var heard: [String] = []
        func said(_ what: String, _ error: (any Error)?) -> String {
            (error as NSError?).map { "\(what) \($0.code)" } ?? what
        }
        let calls: [() -> Void] = [
            {
                SIDCoreLoginKit.showLoginViewController(with: nil) {
                    heard.append(said("login \($0?["app_uid"] ?? "nobody")", $1))
                }
            },
            {
                SIDCoreLoginKit.showFaceVerifyViewController(withRetryCount: nil) {
                    heard.append(said("verified \($0.rawValue)", $1))
                }
            },
            {
                SIDCoreLoginKit.showFaceFeatureViewController(responseBlock: {
                    heard.append(said("age \($0?["age"] ?? "none")", $1))
                })
            },
        ]
        // No person is logged in, and the app shows nothing.
        UIApplication.shared.standInScene = nil
        StandInCamera.reset()
        for (index, call) in calls.enumerated() {
            phone.run(lab) { _ in call() }
            #expect(heard.count == index)
            await eventually("call \(index) is answered") { heard.count > index }
        }
        #expect(heard == ["login nobody -1000", "verified 1 -1009", "age none -1012"])
        heard = []
        _ = await lab.session(.login)
        let sheet = UIViewController(nibName: nil, bundle: nil)
        host.present(sheet, animated: false)
        for (index, call) in calls.enumerated() {
            UIApplication.shared.standInScene = phone.screen.window.windowScene
            phone.run(lab) { _ in call() }
            #expect(sheet.presentedViewController is UINavigationController)
            await phone.look(lab) { heard.count > index }
            #expect(sheet.presentedViewController == nil)
        }
        #expect(heard == ["login user-1", "verified 0", "age 26.85"])
        #expect(lab.hearer.all.count == 1)
    }

    @Test("The theme's colour is the next screen's until it is removed")
    func theme() throws {
        let lab = SuperIDLab(account: SuperIDLab.known)
        func colour() throws -> UIColor? {
            let controller = try phone.run(lab) { try $0.obtainLoginViewController() }
            return (controller as? FaceViewController)?.themeColor
        }
        phone.run(lab) { _ in SuperID.setThemeColor(.red) }
        #expect(try colour() == .red)
        phone.run(lab) { _ in SuperID.removeThemeColor() }
        #expect(try colour() == nil)
    }

    /// An app's own screen.
    final class OwnScreen: SIDFaceFeatureViewController {
        var heard: [String] = []
        override func didFinishDetectFace() { heard.append("face") }
        override func getFaceFeatureSucceed(withFeatureInfo featureInfo: [AnyHashable: Any]) {
            heard.append("age \(featureInfo["age"] ?? "none")")
        }
        override func getFaceFeatureFail(_ error: any Error) { heard.append("\((error as NSError).code)") }
    }

    @Test("A face screen of the app's own hears of the face, then of what was measured, and shows what the camera sees")
    func ownScreen() async throws {
        let lab = SuperIDLab(account: SuperIDLab.known)
        _ = await lab.session(.login)
        StandInCamera.reset()
        let own = phone.run(lab) { _ in OwnScreen(nibName: nil, bundle: nil) }
        phone.run(lab) { _ in
            #expect(!own.configureFaceFeatureView(withDuration: 31, withFrameWidth: 0, high: 0))
            #expect(!own.configureFaceFeatureView(withDuration: 5, withFrameWidth: 481, high: 0))
            #expect(!own.configureFaceFeatureView(withDuration: .nan, withFrameWidth: 0, high: -1))
            #expect(own.configureFaceFeatureView(withDuration: 20, withFrameWidth: 240, high: 320))
            own.setupFaceFeatureManager(withPreview: SIDCameraPreviewView(frame: .zero))
            own.startDetectFaceFeature()
            own.startDetectFaceFeature()
        }
        #expect(own.getCurrentPreviewLayer() is AVCaptureVideoPreviewLayer && own.isDetectingFaceFeature)
        await phone.look(lab) { own.heard.count > 1 }
        #expect(own.heard == ["face", "age 26.85"] && !own.isDetectingFaceFeature)
    }

    @Test("A face screen that is stopped hears nothing more; without an account it hears -1012, without a camera -1004")
    func stopped() async throws {
        let lab = SuperIDLab(account: SuperIDLab.known)
        StandInCamera.reset()
        let own = phone.run(lab) { _ in OwnScreen(nibName: nil, bundle: nil) }
        phone.run(lab) { _ in own.startDetectFaceFeature() }
        await eventually("the screen hears something") { !own.heard.isEmpty }
        #expect(own.heard == ["-1012"])
        _ = await lab.session(.login)
        own.heard = []
        phone.run(lab) { _ in own.startDetectFaceFeature() }
        own.stopDetectFaceFeature()
        await phone.end(of: own)
        #expect(own.heard.isEmpty && StandInCamera.running.isEmpty)
        StandInCamera.status = .denied
        phone.run(lab) { _ in own.startDetectFaceFeature() }
        await eventually("the screen hears something") { !own.heard.isEmpty }
        #expect(own.heard == ["-1004"])
    }

    @Test("A camera that the person allows only after the face screen was stopped goes off again")
    func allowedTooLate() async throws {
        let lab = SuperIDLab(account: SuperIDLab.known)
        _ = await lab.session(.login)
        StandInCamera.reset()
        StandInCamera.isUndecided = true
        let own = phone.run(lab) { _ in OwnScreen(nibName: nil, bundle: nil) }
        phone.run(lab) { _ in own.startDetectFaceFeature() }
        await eventually("the system asks for the camera") { StandInCamera.isAsking }
        own.stopDetectFaceFeature()
        StandInCamera.isUndecided = false
        await phone.end(of: own)
        #expect(StandInCamera.starts == 1 && StandInCamera.running.isEmpty && own.heard.isEmpty)
    }
}
#endif
