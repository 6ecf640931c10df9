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

/// An app's own screen for a search in one of its groups.
@MainActor @Suite(.serialized, .camera) struct SuperIDSearchTests {
    private let phone = FacadePhone()

    final class SearchScreen: SIDSearchFaceViewController, SIDSearchFaceProtocol {
        var heard: [String] = []
        let preview = ListeningPreview(frame: CGRect(x: 0, y: 0, width: 300, height: 400))

        override func viewDidLoad() {
            super.viewDidLoad()
            view.addSubview(preview)
        }

        func groupCompareResult(_ isSucceed: Bool, usersArray: [Any]) { heard.append("\(isSucceed) \(usersArray)") }
        func userCannotPassLivenessDetect() { heard.append("not live") }
        func hasGetTheUserFace() { heard.append("face") }
    }

    /// A search screen that is shown, over which the person has said yes.
    private func searching(_ lab: SuperIDLab, group: String) async -> SearchScreen {
        let own = phone.run(lab) { _ in SearchScreen(nibName: nil, bundle: nil) }
        phone.run(lab) { _ in
            phone.host.present(own, animated: false)
            own.setupSearchFaceManager(withPreview: own.preview)
            own.startDetectFace(withSourceId: "300000000001", groupId: group)
            own.startDetectFace(withSourceId: nil, groupId: group)
        }
        #expect(await phone.answer(own, tapping: ["☐", "同意"]))
        return own
    }

    private func heard(_ own: SearchScreen) async -> [String] {
        await eventually("the screen hears something") { !own.heard.isEmpty }
        return own.heard
    }

    @Test("A search asks first, tells what to do over the preview, hears of the face, then of the one person found")
    func search() async throws {
        let lab = SuperIDLab()
        await lab.service.add(group: "g1", finding: "open-7")
        await lab.service.add(group: "g2", finding: nil)
        for (group, end) in [("g1", "true [\"open-7\"]"), ("g2", "false []")] {
            StandInCamera.reset()
            let own = await searching(lab, group: group)
            await phone.look(lab) { own.heard.count > 1 }
            #expect(own.heard == ["face", end])
            #expect(own.preview.told.contains(FaceSentence.turnLeft.text(in: .simplifiedChinese)))
            #expect(own.preview.subviews.isEmpty && own.presentedViewController == nil)
            #expect(await phone.isDark())
            phone.host.dismiss(animated: false)
        }
        // Found is not logged in.
        #expect(lab.hearer.all.isEmpty && !lab.run { $0.isAppAuth() })
    }

    @Test("A face that does not do what is asked is not live; a search that is refused finds nobody")
    func failing() async throws {
        let lab = SuperIDLab()
        await lab.service.add(group: "g1", finding: "open-7")
        StandInCamera.reset()
        let play = ScriptedFaceService.Play.fails(.challengeFailed, sentence: "not_live")
        await lab.service.play(play, play, play)
        let own = await searching(lab, group: "g1")
        await phone.look(lab) { !own.heard.isEmpty }
        #expect(own.heard == ["not live"])
        // Another's group, several groups, none; then one that is not there.
        let wrong: [(String?, String?)] = [("300000000009", "g1"), (nil, "g1,g2"), (nil, ""), (nil, nil), ("", "g9")]
        for (source, group) in wrong {
            own.heard = []
            phone.run(lab) { _ in own.startDetectFace(withSourceId: source, groupId: group) }
            #expect(await heard(own) == ["false []"])
        }
        // A no.
        own.heard = []
        phone.run(lab) { _ in own.startDetectFace(withSourceId: nil, groupId: "g1") }
        #expect(await phone.answer(own, tapping: ["不同意"]))
        #expect(await heard(own) == ["false []"] && own.presentedViewController == nil)
        #expect(await phone.isDark())
    }

    @Test("A search whose screen goes away hears nothing more, at the question as in front of the camera")
    func leaving() async throws {
        let lab = SuperIDLab()
        await lab.service.add(group: "g1", finding: "open-7")
        StandInCamera.reset()
        let own = await searching(lab, group: "g1")
        await phone.look(lab) { !StandInCamera.running.isEmpty }
        phone.host.dismiss(animated: false)
        await phone.end(of: own)
        #expect(StandInCamera.running.isEmpty && own.heard.isEmpty)

        let asked = phone.run(lab) { _ in SearchScreen(nibName: nil, bundle: nil) }
        phone.run(lab) { _ in phone.host.present(asked, animated: false) }
        phone.run(lab) { _ in asked.startDetectFace(withSourceId: nil, groupId: "g1") }
        await eventually("the person is asked") { asked.presentedViewController != nil }
        phone.host.dismiss(animated: false)
        #expect(!asked.driving.isRunning)
        await phone.end(of: asked)
        #expect(StandInCamera.running.isEmpty && asked.heard.isEmpty)
        #expect(await lab.service.requests.filter { $0 == .consent }.count == 1)
    }
}
#endif
