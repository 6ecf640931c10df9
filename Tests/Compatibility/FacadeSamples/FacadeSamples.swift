import BenjiClient
import BenjiFace
import BenjiProtocol
import BenjiTesting
import BenjiTransportCurl
import Foundation
import GeYanSdk
import OneLoginSDK
import OneTapShell
import SuperIDSDK
import TYRZLogin
import TYRZSDK

/// Runs the samples of the documents, translated word for word, against a server, from an address of this machine.
///
///     FacadeSamples tyrzsdk http://127.0.0.1:8080 300000000001 KEY com.example.shop 127.8.0.1
///     FacadeSamples sandbox http://localhost:8090 phone-1
///
/// OneLogin and GeYan are given no key; the value in its place is not used. `oneloginpro`, and where there is UIKit
/// `geyanpro` and `geyanhanded`, are their other calls that get a page. As the last argument, `--unticked` sets
/// `defaultCheckBoxState` to NO. `--goes-on` has them believe that the app's pages may begin ticked, whatever the
/// server says. Each `NSLog` of a sample is a line of JSON: its text, and the dictionary that it was given. SuperID's
/// take a folder of pictures after the address, which its camera sees. Before they take the authorisation back, they
/// look for the face in each group whose id comes in by standard input. Where there is UIKit the pages are drawn and a
/// finger uses them, and `person` is a line about the page.
@main struct FacadeSamples {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        #if DEBUG
        if arguments.count == 3, arguments[0] == "sandbox" {
            return await SandboxSamples.run(arguments[1], phone: arguments[2])
        }
        #endif
        let option = arguments.last.flatMap { $0.hasPrefix("--") ? $0 : nil }
        if option != nil { arguments.removeLast() }
        let untickedAtFirst = option == "--unticked"
        let pictures = arguments.first == "superid" && arguments.count == 7 ? arguments.removeLast() : nil
        guard arguments.count == 6, let address = InternetAddress(arguments[5]) else {
            print("FacadeSamples SDK SERVER APP KEY BUNDLE ADDRESS [--unticked | --goes-on]", to: &standardError)
            exit(64)
        }
        let (server, id, key) = (arguments[1], arguments[2], arguments[3])
        let keys = MemoryDeviceKeyStore()
        let mobile = CurlTransport(.init(egress: .sourceAddress(address)))
        let surroundings = Surroundings(
            transport: option == "--goes-on" ? ChangedClient(transport: mobile) : mobile, keyStore: { _ in keys },
            networkStatus: MobileData(), networkNow: { MobileData.status }, bundleID: arguments[4],
            server: { server })
        switch arguments[0] {
        case "tyrzsdk":
            OneTapShell.of(.tyrzSDK).surround(with: surroundings)
            await TYRZSDKSamples(appID: id, appKey: key).run()
        case "tyrzlogin":
            OneTapShell.of(.tyrzLogin).surround(with: surroundings)
            await TYRZLoginSamples(appID: id, appKey: key).run()
        case "onelogin":
            OneTapShell.of(.oneLogin).surround(with: surroundings)
            await OneLoginSamples(OneLogin.self, appID: id, untickedAtFirst: untickedAtFirst).run()
        case "oneloginpro":
            OneTapShell.of(.oneLoginPro).surround(with: surroundings)
            await OneLoginSamples(OneLoginPro.self, appID: id, untickedAtFirst: untickedAtFirst).run()
        #if canImport(UIKit)
        case "geyanpro":
            OneTapShell.of(.geYanPro).surround(with: surroundings)
            await GeYanSamples(appID: id, untickedAtFirst: untickedAtFirst, page: .pro).run()
        case "geyanhanded":
            OneTapShell.of(.geYan).surround(with: surroundings)
            await GeYanSamples(appID: id, untickedAtFirst: untickedAtFirst, page: .handed).run()
        #endif
        case "geyan":
            OneTapShell.of(.geYan).surround(with: surroundings)
            await GeYanSamples(appID: id, untickedAtFirst: untickedAtFirst).run()
        case "superid":
            let vault = MemoryFaceVault()
            let shell = SuperIDShell(
                surroundings: FaceSurroundings(
                    oneTap: surroundings, transport: surroundings.transport, vault: { _ in vault }))
            await SuperIDShell.$scoped.withValue(shell) {
                await SuperIDSamples(appID: id, appSecret: key, pictures: PictureStage(pictures ?? ".")).run()
            }
        default:
            print("FacadeSamples: no samples of \(arguments[0])", to: &standardError)
            exit(64)
        }
    }

    /// Prints the `NSLog` of a sample as a line of JSON.
    @MainActor static func log(_ text: String, _ sender: [AnyHashable: Any]) {
        var line: [String: Any] = ["said": text]
        line["sender"] = Dictionary(
            uniqueKeysWithValues: sender.compactMap { key, value in
                (key as? String).map { ($0, value) }
            })
        guard let data = try? JSONSerialization.data(withJSONObject: line, options: [.sortedKeys]) else {
            fatalError("a dictionary of a facade holds texts, numbers and dictionaries only")
        }
        print(String(decoding: data, as: UTF8.self))
        // The reader of the output acts on it at once.
        fflush(nil)
    }
}

/// The loopback plays a phone's mobile data.
private struct MobileData: NetworkStatusSource {
    static let status = NetworkStatus(cellular: true, wifi: false)

    func networkStatus() async -> NetworkStatus { Self.status }
}

/// As in a client that somebody has changed: each prefetch seems to say that the app's pages may begin ticked.
private struct ChangedClient: Transport {
    let transport: any Transport

    func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? {
        try await transport.localAddress(towards: server)
    }

    func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        var answer = try await transport.send(request, timeout: timeout)
        let text = String(decoding: answer.body, as: UTF8.self)
        if text.contains(#""maskedNumber""#) { answer.body = Array((#"{"tickedPage":true,"# + text.dropFirst()).utf8) }
        return answer
    }
}

private struct StandardError: TextOutputStream {
    mutating func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

nonisolated(unsafe) private var standardError = StandardError()
