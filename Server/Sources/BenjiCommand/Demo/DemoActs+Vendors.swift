import BenjiClient
import BenjiPolicy
@_spi(Server) import BenjiProtocol
import Catalogue
import Sandbox

/// Apps that came from other vendors: their old ids, no key in the phone, their servers' old calls.
extension DemoActs {
    func movedApps() async {
        let attached = stage.phones[0]
        await story.begin(
            "An app that came from OneLogin, and one from GeYan",
            "They keep their ids, their phones have no key, and their servers call what they always called.")
        if let login = await logIn(to: stage.oneLogin, on: attached, dialect: .onelogin) {
            await step("app server", "authority", "check_phone", expect: "200") {
                let answer = try await stage.oneLogin.oneLoginClient.checkPhone(login.token, process: login.trace)
                return ((), answer.code, Self.masked(answer.result))
            }
            await step("app server", "authority", "check_phone again", expect: "12101") {
                let answer = try await stage.oneLogin.oneLoginClient.checkPhone(login.token, process: login.trace)
                return ((), answer.code, Self.meaning(answer.code, in: .oneLoginServer))
            }
        }
        if let login = await logIn(to: stage.geYan, on: attached, dialect: .geyan) {
            await step("app server", "authority", "gy_get_pn", expect: "20000") {
                let answer = try await stage.geYan.geYanClient.getNumber(login.token, process: login.trace)
                return ((), answer.code, Self.masked(answer.number))
            }
        }
    }

    private func logIn(to app: DemoStage.App, on attached: DemoStage.AttachedPhone, dialect: Dialect) async
        -> LoginToken?
    {
        await step(attached.phone.name, "gateway", "log in", expect: "success") {
            let engine = attached.phone.install(
                LoginEngine.Configuration(
                    appID: app.id, appKey: nil, bundleID: app.bundleID, server: stage.deviceURL, dialect: dialect))
            let login = try await engine.logIn(with: ScriptedPerson())
            return (login, "success", "app \(app.id), token \(login.token.prefix(9))…")
        }
    }

    private static func masked(_ number: String?) -> String {
        number.flatMap { PhoneNumber($0) }.map { "number \($0.masked)" } ?? "no number"
    }
}
