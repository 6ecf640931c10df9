@_spi(Server) import BenjiProtocol
import Endpoints
import Sandbox

/// Plays the app's server: spends a token in the operators' dialect, and looks whose number it gets.
struct AppServerPlayer: Sendable {
    /// The failure when a released number is not the phone's: worse than any refusal.
    static let wrongNumber = "wrong number released"

    let target: LoadTarget
    let population: Population
    let pool: ConnectionPool
    let recorder: Recorder
    private let random = SystemRandomSource()
    private let clock = SystemWallClock()

    init(target: LoadTarget, population: Population, pool: ConnectionPool, recorder: Recorder) {
        self.target = target
        self.population = population
        self.pool = pool
        self.recorder = recorder
    }

    /// Spends the token and says how it ended: `nil` if with the phone's own number.
    func spend(_ token: String, phone: Int, purpose: TokenPurpose) async -> String? {
        let connection: HTTPConnection
        do { connection = try await pool.take() } catch { return "(\(error.rawValue))" }
        let body = purpose == .login ? loginBody(token) : verificationBody(token, phone: phone)
        let path: CMPassportEndpoints.Path = purpose == .login ? .loginTokenValidate : .numberVerification
        var operation = Operation(
            purpose == .login ? .redeem : .verify, start: recorder.now, phone: phone, app: target.appID.rawValue,
            token: Operation.shortHash(of: token))
        do {
            let answer = try await connection.post(path.rawValue, body: body.serialized)
            let named = answer.json["resultCode"] ?? answer.json["header"]?["resultCode"]
            guard let code = named?.stringValue else { throw ConnectionFault.unreadable }
            await pool.giveBack(connection)
            var failure: String?
            if purpose == .login {
                if let number = answer.json["msisdn"]?.stringValue {
                    operation.released = population.index(ofNationalNumber: number) ?? -1
                }
                if code != "103000" { failure = code }
                if failure == nil, operation.released != phone { failure = Self.wrongNumber }
            } else {
                // 001 would deny the phone its own number.
                if code == "000" { operation.released = phone } else { failure = code }
            }
            recorder.answered(operation, code: code, succeeded: failure == nil)
            return failure
        } catch {
            connection.close()
            await pool.giveBack(nil)
            recorder.unanswered(operation, fault: ConnectionFault(error))
            return "(\(ConnectionFault(error).rawValue))"
        }
    }

    private func loginBody(_ token: String) -> JSON {
        OperatorClient.loginBody(
            token, appID: target.appID, serverSecret: target.serverSecret, now: clock.now, random: random)
    }

    private func verificationBody(_ token: String, phone: Int) -> JSON {
        OperatorClient.verificationBody(
            token, nationalNumber: population.nationalNumber(phone), appID: target.appID,
            serverSecret: target.serverSecret,
            now: clock.now, random: random)
    }
}
