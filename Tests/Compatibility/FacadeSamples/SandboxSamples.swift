#if DEBUG
import Benji
import BenjiClient
import BenjiProtocol
import BenjiTesting
import BenjiTransportCurl

/// The way of an app in a debug build to the sandbox: what `PhoneLogin.Configuration.sandbox` makes of the page's
/// address.
enum SandboxSamples {
    /// Prints what `diagnose()` finds, and the token if a login succeeds.
    static func run(_ page: String, phone: String) async {
        let internet = CurlTransport(.init())
        do {
            let configuration = try await PhoneLogin.Configuration.sandbox(page, phone: phone, over: internet)
            let phoneLogin = PhoneLogin(
                configuration: configuration, transport: SandboxTransport(internet), keyStore: MemoryDeviceKeyStore())
            let diagnosis = try await phoneLogin.diagnose()
            print(JSON.object(["failed": diagnosis.failed.map { .string($0.rawValue) }]).text)
            let login = try await phoneLogin.logIn(presenting: FakePresenter())
            print(JSON.object(["token": .string(login.token)]).text)
        } catch {
            print(JSON.object(["error": .string(error.situation.rawValue), "detail": .string(error.detail)]).text)
        }
    }
}
#endif
