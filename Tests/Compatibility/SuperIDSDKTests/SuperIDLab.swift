import BenjiClient
import BenjiFace
import BenjiFaceTesting
import BenjiProtocol
import BenjiTesting
import Foundation
import OneTapShell
import OneTapTesting

@testable import SuperIDSDK

/// SuperID's calls with a scripted carrier and a scripted face service behind them, for one test alone.
@MainActor struct SuperIDLab {
    let clock = ManualClock()
    let wallClock = ManualWallClock()
    let carrier: ScriptedCarrier
    let service: ScriptedFaceService
    let vault = MemoryFaceVault()
    let shell: SuperIDShell
    let hearer = Hearer()

    init(
        account: ScriptedFaceService.Account? = nil, registers: Bool = true, server: String? = "https://gateway.example"
    ) {
        let carrier = ScriptedCarrier(number: "13800000000", clock: clock)
        let service = ScriptedFaceService(account: account, clock: clock)
        let vault = vault
        self.carrier = carrier
        self.service = service
        shell = SuperIDShell(
            surroundings: FaceSurroundings(
                oneTap: carrier.surroundings(page: nil, wallClock: wallClock, server: server), transport: service,
                vault: { _ in vault }))
        shell.delegate = hearer
        if registers { run { $0.registerApp(withAppID: "300000000001", withAppSecret: "secret") } }
    }

    /// Somebody who has used this app before.
    static var known: ScriptedFaceService.Account {
        var account = ScriptedFaceService.Account()
        (account.name, account.hasFace, account.isAuthorized, account.uid) = ("小明", true, true, "user-1")
        (account.isRandomUID, account.email) = (false, "ming@example.com")
        return account
    }

    @discardableResult
    func run<Result>(_ calls: (SuperID) throws -> Result) rethrows -> Result {
        try SuperIDShell.$scoped.withValue(shell) { try calls(.sharedInstance()) }
    }

    /// The delegate's call after a call of the SDK.
    func heard(_ call: (SuperID) -> Void) async -> Heard {
        run(call)
        return await hearer.next()
    }

    /// A session on a stage instead of screens.
    func session(
        _ kind: SuperIDSession.Kind, _ person: ScriptedFaceStage.Person = .init(),
        page: any AuthorizationPresenter = FakePresenter(), smsPage: FakeSMSPresenter? = nil
    ) async -> Heard {
        do {
            let session = try SuperIDSession(kind, shell)
            await session.run(on: ScriptedFaceStage(person, page: page, smsPage: smsPage))
            return await hearer.next()
        } catch {
            let isBinding = if case .binding = kind { true } else { false }
            return .refused(SuperIDResults.error(error, binding: isBinding).code)
        }
    }

    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        wallClock.advance(by: duration)
    }
}

/// One call of the delegate.
enum Heard: Equatable {
    case login([String: String], uid: String?, code: Int?)
    case binding([String: String], uid: String?, code: Int?)
    case cancelled(code: Int?)
    case feature([String: String], code: Int?)
    case state(SIDUserAuthorizationState)
    case userInfo(SIDUserUpdateResponseState)
    case uid(SIDUserUpdateResponseState)
    /// No view controller, but an error at once.
    case refused(Int)

    var code: Int? {
        switch self {
        case .login(_, _, let code), .binding(_, _, let code), .cancelled(let code), .feature(_, let code): code
        case .refused(let code): code
        case .state, .userInfo, .uid: nil
        }
    }

    var info: [String: String] {
        switch self {
        case .login(let info, _, _), .binding(let info, _, _), .feature(let info, _): info
        default: [:]
        }
    }
}

/// Writes down what a delegate is told, each value with its type.
@MainActor final class Hearer: NSObject, SuperIDDelegate {
    private(set) var all: [Heard] = []
    private var unread: [Heard] = []
    private var waiting: CheckedContinuation<Heard, Never>?
    private(set) var domains: Set<String> = []

    func next() async -> Heard {
        if !unread.isEmpty { return unread.removeFirst() }
        return await withCheckedContinuation { waiting = $0 }
    }

    private func hear(_ heard: Heard) {
        MainActor.assertIsolated()
        all.append(heard)
        if let waiting {
            self.waiting = nil
            waiting.resume(returning: heard)
        } else {
            unread.append(heard)
        }
    }

    private func code(_ error: (any Error)?) -> Int? {
        guard let error = error as NSError? else { return nil }
        domains.insert(error.domain)
        return error.code
    }

    private func texts(_ info: [AnyHashable: Any]?) -> [String: String] {
        var texts: [String: String] = [:]
        for (name, value) in info ?? [:] {
            texts["\(name)"] = value is String ? "\(value)" : "\(type(of: value)): \(value)"
        }
        return texts
    }

    func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?
    ) { hear(.login(texts(userInfo), uid: uid, code: code(error))) }

    func superID(
        _ sender: SuperID, userDidFinishAuthAppWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?
    ) { hear(.binding(texts(userInfo), uid: uid, code: code(error))) }

    func superID(_ sender: SuperID, userDidFinishCancelAuthorization error: (any Error)?) {
        hear(.cancelled(code: code(error)))
    }

    func superID(
        _ sender: SuperID, userDidFinishGetFaceFeatureWithFeatureInfo featureInfo: [AnyHashable: Any]?,
        error: (any Error)?
    ) { hear(.feature(texts(featureInfo), code: code(error))) }

    func superID(_ sender: SuperID, queryCurrentUserAuthorizationStateResponse state: SIDUserAuthorizationState) {
        hear(.state(state))
    }

    func superID(_ sender: SuperID, updateAppUserInfoStateResponse state: SIDUserUpdateResponseState) {
        hear(.userInfo(state))
    }

    func superID(_ sender: SuperID, updateAppUidResponse state: SIDUserUpdateResponseState) { hear(.uid(state)) }
}
