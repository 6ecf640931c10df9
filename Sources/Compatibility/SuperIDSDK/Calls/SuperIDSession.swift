package import BenjiClient
package import BenjiFace
import BenjiProtocol
import Foundation

/// A session that a view controller will run: checked before it is shown, told to the delegate when it is over.
package struct SuperIDSession: Sendable {
    package let goal: FaceGoal
    package let engine: FaceEngine
    let shell: SuperIDShell

    /// - Throws: what the documented calls answer at once, in the place of a view controller.
    package init(_ kind: Kind, _ shell: SuperIDShell = .current) throws(BenjiError) {
        self.shell = shell
        engine = try shell.engine()
        switch kind {
        case .login: goal = .logIn()
        case .loginWithNumber(let text): goal = .logIn(phone: try Self.number(text))
        case .binding(let uid, let phone, let info):
            guard let uid, !uid.isEmpty else { throw BenjiError(.uidMissing, "uid: missing") }
            guard FaceUID.length.contains(uid.utf8.count) else {
                throw BenjiError(.invalidArgument, "uid: must be \(FaceUID.length) bytes long")
            }
            guard let info = AppUserInfo.read(info) else {
                throw BenjiError(.invalidArgument, "appUserInfo: holds something that JSON does not, or too much")
            }
            let number = phone?.isEmpty == false ? try Self.number(phone) : nil
            goal = .bind(uid: uid, phone: number, userInfo: info == FaceUserInfo() ? nil : info)
        case .attributes:
            guard shell.isAuthorized else {
                throw BenjiError(.attributesDenied, "attributes need an account that has authorised the app")
            }
            goal = .attributes
        }
    }

    package enum Kind {
        case login
        case loginWithNumber(String?)
        case binding(uid: String?, phone: String?, userInfo: [AnyHashable: Any]?)
        case attributes
    }

    private static func number(_ text: String?) throws(BenjiError) -> String {
        guard let number = ChineseNumber.read(text) else {
            throw BenjiError(.numberNotMainland, "phoneNumber: must be a mobile number of mainland China")
        }
        return number
    }

    /// Runs it without a screen of ours.
    package func run(on stage: any FaceStage) async {
        tell(await engine.result(of: goal, on: stage))
    }

    /// Tells the delegate how it ended.
    package func tell(_ result: Result<FaceOutcome, BenjiError>) {
        if case .failure(let error) = result { shell.log("\(goal.name): \(error)") }
        switch (goal, result) {
        case (.bind, .success(.loggedIn(let user))):
            shell.tell(.binding(SuperIDResults.userInfo(user), uid: user.uid, nil))
        case (.bind, .failure(let error)):
            shell.tell(.binding(nil, uid: nil, SuperIDResults.error(error, binding: true)))
        case (.attributes, .success(.attributes(let values))):
            shell.tell(.feature(SuperIDResults.featureInfo(values), nil))
        case (.attributes, .failure(let error)): shell.tell(.feature(nil, SuperIDResults.error(error)))
        case (_, .success(.loggedIn(let user))):
            shell.tell(.login(SuperIDResults.userInfo(user), uid: user.uid, nil))
        case (_, .failure(let error)): shell.tell(.login(nil, uid: nil, SuperIDResults.error(error)))
        case (_, .success):
            let error = BenjiError(.internalError, "the session ended in another one's result")
            shell.tell(.login(nil, uid: nil, SuperIDResults.error(error)))
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
        }
    }
}
