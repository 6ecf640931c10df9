package import BenjiProtocol
package import Store

extension AppRecord {
    func keys(for use: AppKeyUse) -> [AppKeyRecord] { keys.filter { $0.use == use } }

    /// Whether what phones carry may sign the server's calls: the app has one key for both, or is changing over.
    package func hasOneKey(at now: Timestamp) -> Bool {
        let secrets = keys(for: .server).accepted(at: now)
        return secrets.isEmpty || secrets.contains(where: \.isInPackage)
    }

    /// The order that ends ``hasOneKey(at:)``.
    package var oneKeyRemedy: String {
        "benji app \(keys(for: .server).isEmpty ? "split-keys" : "retire-secret") \(id)"
    }

    /// The server addresses that are wide blocks (``AppRules/isWide(_:)``).
    package var wideServerAddresses: [String] { serverAddresses.filter(Self.isWide) }

    /// Whether a server address is a wide block (``AppRules/isWide(_:)``).
    package static func isWide(_ address: String) -> Bool { IPPrefix(address).map(AppRules.isWide) ?? false }
}
