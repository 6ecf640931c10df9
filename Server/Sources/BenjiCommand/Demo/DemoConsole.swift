import Administration
@_spi(Server) import BenjiProtocol
import Console
import Requests

/// The sandbox's way into the console. A person at the sandbox's page may do everything in this installation already,
/// so they are signed in as its operator. This process makes up their invitation, password and code.
actor DemoConsole {
    private static let operatorsName = "sandbox"

    private let administration: Administration
    /// Of the browsers that came so far.
    private var session: String?

    init(_ installation: Installation) { administration = installation.administration }

    /// The value of `Set-Cookie` for the operator's session. Cookies ignore the port, so the page and the console share
    /// it.
    func signIn() async throws -> String {
        Console.cookie(
            holding: try await signedIn(), for: Administration.sessionLife.components.seconds, isSecure: false)
    }

    private func signedIn() async throws -> String {
        if let session, try await administration.caller(session: session, from: "sandbox") != nil { return session }
        let invitation = try await invite()
        let salt = administration.newSalt()
        let codes = administration.oneTimePassword(of: Self.operatorsName, salt: salt)
        let made = try await administration.accept(
            invitation: invitation, password: Base64URL.encode(SystemRandomSource().bytes(32)),
            code: codes.code(ofStep: OneTimePassword.step(at: SystemWallClock().now)), salt: salt, from: "sandbox")
        session = made
        return made
    }

    /// An invitation for the operator, who may be there from a run before.
    private func invite() async throws -> String {
        let machine = Caller.machineUser
        let answer: JSON
        do throws(Refusal) {
            answer = try await administration.perform(
                RenewAdmin(Self.operatorsName, days: 1, console: true), by: machine)
        } catch {
            answer = try await administration.perform(
                GrantAdmin(Self.operatorsName, .operator, days: 1, console: true), by: machine)
        }
        return answer["invitation"]?.stringValue ?? ""
    }
}
