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
///
/// OneLogin and GeYan are given no key; what is in its place is not used. `--unticked` after all of it sets their
/// `defaultCheckBoxState` to NO. Each `NSLog` of a sample is a line of JSON: what it says, and the dictionary that it was
/// given. SuperID's take a folder of pictures after the address, which its camera sees, and look for the face in each group whose id
/// comes in by standard input, before they take the authorisation back. Where there is UIKit the pages are drawn and a finger uses them, and `person` tells what it found.
@main struct FacadeSamples {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let untickedAtFirst = arguments.last == "--unticked"
        if untickedAtFirst { arguments.removeLast() }
        let pictures = arguments.first == "superid" && arguments.count == 7 ? arguments.removeLast() : nil
        guard arguments.count == 6, let address = InternetAddress(arguments[5]) else {
            print("FacadeSamples SDK SERVER APP KEY BUNDLE ADDRESS [--unticked]", to: &standardError)
            exit(64)
        }
        let (server, id, key) = (arguments[1], arguments[2], arguments[3])
        let keys = MemoryDeviceKeyStore()
        let surroundings = Surroundings(
            transport: CurlTransport(.init(egress: .sourceAddress(address))), keyStore: { _ in keys },
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
            await OneLoginSamples(appID: id, untickedAtFirst: untickedAtFirst).run()
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

    /// What a sample writes with `NSLog`.
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
        // Whoever reads along acts on it.
        fflush(nil)
    }
}

/// The loopback plays a phone's mobile data.
private struct MobileData: NetworkStatusSource {
    static let status = NetworkStatus(cellular: true, wifi: false)

    func networkStatus() async -> NetworkStatus { Self.status }
}

private struct StandardError: TextOutputStream {
    mutating func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

nonisolated(unsafe) private var standardError = StandardError()
