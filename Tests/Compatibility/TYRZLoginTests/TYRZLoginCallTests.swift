import BenjiTesting
import FacadeScenarios
import Foundation
import OneTapShell
import Testing
import Waiting

@testable import TYRZLogin

@Suite struct TYRZLoginCallTests {
    private func logIn(appID: String?, appKey: String?, capaID: String?) async -> ResultFields? {
        await withCheckedContinuation { continuation in
            TYRZLogin.loginImplicitly(
                withAppId: appID, appkey: appKey, capaId: capaID, capaIdTime: nil, scene: nil
            ) { continuation.resume(returning: ($0 as? [AnyHashable: Any]).flatMap { ResultFields($0) }) }
        }
    }

    private func logIn() async -> ResultFields? {
        await withCheckedContinuation { continuation in
            TYRZLogin.loginImplicitly {
                continuation.resume(returning: ($0 as? [AnyHashable: Any]).flatMap { ResultFields($0) })
            }
        }
    }

    @Test(
        "Each of the three arguments that must be there is missed with 102203, one that is wrong with 102208",
        arguments: [
            (nil, "key", "200", "102203"), ("", "key", "200", "102203"), ("300000000001", nil, "200", "102203"),
            ("300000000001", "", "200", "102203"), ("300000000001", "key", nil, "102203"),
            ("300000000001", "key", "", "102203"), ("app id", "key", "200", "102208"),
            ("300000000001", "key", "200", "103000"),
        ] as [(String?, String?, String?, String)])
    func arguments(appID: String?, appKey: String?, capaID: String?, code: String) async {
        await ScriptedCarrier(clock: ManualClock()).alone(with: .tyrzLogin) {
            #expect(await logIn(appID: appID, appKey: appKey, capaID: capaID)?["resultCode"] == .text(code))
        }
    }

    @Test("The short form uses the id and key of the last full one")
    func shortForm() async {
        await ScriptedCarrier(clock: ManualClock()).alone(with: .tyrzLogin) {
            #expect(await logIn()?["resultCode"] == "102302")
            #expect(await logIn(appID: "300000000001", appKey: "key", capaID: "200")?["resultCode"] == "103000")
            #expect(await logIn()?["resultCode"] == "103000")
        }
    }

    @Test("A login without a block is made all the same, once, and the next one finds the way free")
    func withoutBlock() async {
        let carrier = ScriptedCarrier(clock: ManualClock())
        await carrier.alone(with: .tyrzLogin) {
            TYRZLogin.registerAppId("300000000001", appKey: "key")
            let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
            OneTapShell.of(.tyrzLogin).observe { observation in
                if case .ended(.verification, let error) = observation { ended.yield(error == nil) }
            }
            TYRZLogin.loginImplicitly(nil)
            #expect(await ends.first { _ in true } == true, "it went well")
            #expect(await carrier.tokens.count == 1)
            #expect(await logIn()?["resultCode"] == "103000")
        }
        #expect(await carrier.tokens.count == 2)
        #expect(await carrier.requests.count == 3, "one prefetch serves both")
    }

    @MainActor private final class Listener: TYRZLoginDelegate {
        var heard: [[AnyHashable: Any]] = []

        func tyrzDeBug(withMessage message: [AnyHashable: Any]) { heard.append(message) }

        var texts: [String] { heard.compactMap { $0["message"] as? String } }
        var errors: [NSError] { heard.compactMap { $0["message"] as? NSError } }

        /// Steps and ends come by different ways, in any order.
        var isComplete: Bool { !errors.isEmpty && texts.contains { $0.hasPrefix("finished") } }
    }

    @Test("The debug delegate hears texts, and an error when a call failed; no number and no credential")
    @MainActor func debugging() async {
        let carrier = ScriptedCarrier(number: "13800002023", clock: ManualClock())
        await carrier.alone(with: .tyrzLogin) {
            let listener = Listener()
            TYRZLogin.debugDelegate = listener
            #expect(TYRZLogin.debugDelegate === listener)
            TYRZLogin.registerAppId("300000000001", appKey: "canary-key")
            _ = await logIn()
            await eventually("the delegate hears an error and the end") { listener.isComplete }
            let error = listener.errors.first
            #expect(error?.domain == "TYRZLogin")
            #expect(error?.code == 102102)
            #expect(error?.localizedDescription.contains("capability_missing") == true)
            let texts = listener.texts
            #expect(texts.contains { $0.hasPrefix("prefetched") })
            #expect(listener.heard.allSatisfy { $0.count == 1 && $0["message"] != nil })
            for text in texts + [error?.localizedDescription ?? ""] {
                #expect(!text.contains("13800002023") && !text.contains("canary-key") && !text.contains("SCrip"))
            }
        }
    }

    @Test("The delegate is held weakly, and nothing is told without one")
    @MainActor func weakDelegate() async {
        await ScriptedCarrier(clock: ManualClock()).alone(with: .tyrzLogin) {
            var listener: Listener? = Listener()
            TYRZLogin.debugDelegate = listener
            listener = nil
            #expect(TYRZLogin.debugDelegate == nil)
            TYRZLogin.registerAppId("300000000001", appKey: "key")
            #expect(await logIn()?["resultCode"] == "103000")
        }
    }
}
