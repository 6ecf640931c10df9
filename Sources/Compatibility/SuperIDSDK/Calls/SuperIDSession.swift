package import BenjiClient
package import BenjiFace
import BenjiFaceProtocol
import BenjiProtocol
import Foundation

/// A session that a view controller will run: checked before it is shown, told when it is over.
package struct SuperIDSession: Sendable {
    package let goal: FaceGoal
    /// How often the person may try.
    let attempts: Int
    /// Whether 1.9's calls began it, which tell the openId.
    private let tellsOpenID: Bool
    package let engine: FaceEngine
    let shell: SuperIDShell

    /// - Throws: what the documented calls answer at once, in the place of a view controller.
    package init(_ kind: Kind, _ shell: SuperIDShell = .current) throws(BenjiError) {
        self.shell = shell
        engine = try shell.engine()
        if case .verification(let count) = kind { attempts = max(count ?? 1, 1) } else { attempts = .max }
        if case .loginWithModel = kind { tellsOpenID = true } else { tellsOpenID = false }
        switch kind {
        case .login: goal = .logIn()
        case .loginWithNumber(let text): goal = .logIn(phone: try Self.number(text))
        case .binding(let uid, let phone, let info):
            guard let uid, !uid.isEmpty else { throw BenjiError(.uidMissing, "uid: missing") }
            goal = try Self.binding(uid, phone, info)
        case .loginWithModel(let model):
            let (phone, info) = (model?.phone, model?.dictionary)
            if let uid = model?.appUid, !uid.isEmpty {
                goal = try Self.binding(uid, phone, info)
            } else {
                goal = .logIn(phone: try Self.optionalNumber(phone), userInfo: try Self.userInfo(info))
            }
        case .verification:
            guard shell.isAuthorized else {
                throw BenjiError(.notAuthorized, "a verification needs an account that has authorised the app")
            }
            goal = .verify
        case .attributes:
            guard shell.isAuthorized else {
                throw BenjiError(.attributesDenied, "attributes need an account that has authorised the app")
            }
            goal = .attributes
        case .search(let source, let group):
            guard source == nil || source?.isEmpty == true || source == shell.appID else {
                throw BenjiError(.invalidArgument, "sourceId: only the app's own groups are searched")
            }
            guard let group, !group.isEmpty, !group.contains(",") else {
                throw BenjiError(.groupUnknown, "groupId: must be the id of one group")
            }
            goal = .search(group: group)
        }
    }

    package enum Kind {
        case login
        case loginWithNumber(String?)
        case binding(uid: String?, phone: String?, userInfo: [AnyHashable: Any]?)
        case loginWithModel(SIDAppUserInfoModel?)
        /// Without a number the person may try once.
        case verification(attempts: Int?)
        case attributes
        /// `source`: whose group it is; only the app's own may be searched.
        case search(source: String?, group: String?)
    }

    private static func binding(
        _ uid: String, _ phone: String?, _ info: [AnyHashable: Any]?
    ) throws(BenjiError) -> FaceGoal {
        guard FaceUID.length.contains(uid.utf8.count) else {
            throw BenjiError(.invalidArgument, "uid: must be \(FaceUID.length) bytes long")
        }
        return .bind(uid: uid, phone: try optionalNumber(phone), userInfo: try userInfo(info))
    }

    private static func userInfo(_ dictionary: [AnyHashable: Any]?) throws(BenjiError) -> FaceUserInfo? {
        guard let info = AppUserInfo.read(dictionary) else {
            throw BenjiError(.invalidArgument, "appUserInfo: holds something that JSON does not, or too much")
        }
        return info == FaceUserInfo() ? nil : info
    }

    private static func optionalNumber(_ text: String?) throws(BenjiError) -> String? {
        text?.isEmpty == false ? try number(text) : nil
    }

    private static func number(_ text: String?) throws(BenjiError) -> String {
        guard let number = ChineseNumber.read(text) else {
            throw BenjiError(.numberNotMainland, "phoneNumber: must be a mobile number of mainland China")
        }
        return number
    }

    /// Runs it without a screen of ours.
    package func run(on stage: any FaceStage) async {
        tell(await engine.result(of: goal, attempts: attempts, on: stage))
    }

    /// Notifies the delegate of the result.
    package func tell(_ result: Result<FaceOutcome, BenjiError>) { shell.tell(answer(result)) }

    /// How it ended, as SuperID's document and the releases after it say it.
    func answer(_ result: Result<FaceOutcome, BenjiError>) -> SuperIDAnswer {
        let isBinding = if case .bind = goal { true } else { false }
        var failure: NSError?
        switch result {
        case .success(.loggedIn(let user)):
            shell.keep(user)
            let info = SuperIDResults.userInfo(user)
            if tellsOpenID { return .openLogin(info, openID: user.openID, nil) }
            return isBinding ? .binding(info, uid: user.uid, nil) : .login(info, uid: user.uid, nil)
        case .success(.verified): return .verified(.faceVerifySucceed, nil)
        case .success(.attributes(let values)): return .feature(SuperIDResults.featureInfo(values), nil)
        case .success(.found(let openID)): return .found(openID.map { .somebody(openID: $0) } ?? .nobody)
        case .failure(let error):
            shell.log("\(goal.name): \(error)")
            failure = SuperIDResults.error(error, binding: isBinding)
            if case .search = goal { return .found(error.situation.isOfTheFace ? .notLive : .nobody) }
        }
        return switch goal {
        case .attributes: .feature(nil, failure)
        case .verify: .verified(.faceVerifyFail, failure)
        case .search: .found(.nobody)
        case .logIn, .bind:
            if tellsOpenID {
                .openLogin(nil, openID: nil, failure)
            } else if isBinding {
                .binding(nil, uid: nil, failure)
            } else {
                .login(nil, uid: nil, failure)
            }
        }
    }
}

extension FaceGoal {
    /// Without number and uid.
    fileprivate var name: String {
        switch self {
        case .logIn: "login"
        case .bind: "binding"
        case .verify: "verification"
        case .attributes: "attributes"
        case .search: "search"
        }
    }
}

extension Situation {
    /// Whether the face or picture in front of the camera is the reason.
    fileprivate var isOfTheFace: Bool {
        [.challengeFailed, .challengeExpired, .faceNotFound, .faceDiffers, .pictureInvalid].contains(self)
    }
}
