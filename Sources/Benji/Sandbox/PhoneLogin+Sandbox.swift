#if DEBUG
public import BenjiClient
import BenjiProtocol

extension PhoneLogin.Configuration {
    /// The sandbox's own app, on one of the sandbox's phones. In debug builds only.
    ///
    /// With it a simulator, or a phone on your desk, is that phone: choose its SIM, network and faults on the sandbox's
    /// page. The app logs in on its real page.
    ///
    /// ```swift
    /// #if DEBUG
    /// let configuration = try await PhoneLogin.Configuration.sandbox("http://localhost:8090", phone: "phone-1")
    /// #endif
    /// ```
    ///
    /// - Parameters:
    ///   - address: where the sandbox's page is.
    ///   - phone: the phone's id there.
    ///   - transport: how the sandbox is asked; see ``sandbox(_:phone:)`` for Apple's platforms.
    /// - Throws: ``BenjiProtocol/Situation/invalidArgument`` if there is no sandbox or no such phone, or what the
    ///   transport throws.
    public static func sandbox(
        _ address: String, phone: String = "phone-1", over transport: any Transport
    ) async throws(BenjiError) -> PhoneLogin.Configuration {
        let page: ServerURL
        do { page = try ServerURL(address) } catch { throw BenjiError(.invalidArgument, "address: \(error)") }
        _ = try await ask(page, "/api/phones/\(phone)", transport)
        let app = try await ask(page, "/api/app", transport)
        guard let id = app["id"]?.stringValue.flatMap(AppID.init(rawValue:)), let key = app["key"]?.stringValue,
            let bundleID = app["bundleId"]?.stringValue,
            let server = try? page.appending(path: "/phones/\(phone)/gateway")
        else { throw BenjiError(.invalidArgument, "address: what answers there is no sandbox") }
        return PhoneLogin.Configuration(
            engine: LoginEngine.Configuration(appID: id, appKey: key, bundleID: bundleID, server: server),
            isSandbox: true)
    }

    private static func ask(
        _ page: ServerURL, _ path: String, _ transport: any Transport
    ) async throws(BenjiError) -> JSON {
        guard let url = try? page.appending(path: path) else {
            throw BenjiError(.invalidArgument, "phone: must be the id of a phone, such as phone-1")
        }
        let response: TransportResponse
        do {
            response = try await transport.send(TransportRequest(method: "GET", url: url), timeout: .seconds(10))
        } catch { throw BenjiError(error) }
        guard let json = try? JSON(parsing: response.body), response.status == 200 else {
            throw BenjiError(.invalidArgument, "\(url): HTTP \(response.status); is the sandbox there?")
        }
        return json
    }
}
#endif
