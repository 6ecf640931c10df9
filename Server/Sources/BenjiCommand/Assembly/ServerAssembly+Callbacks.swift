import Callbacks
import NIOPosix
import NIOSSL

extension ServerAssembly {
    /// Tells apps' callbacks of what became of their logins.
    func callbackDelivery(_ installation: Installation) throws -> CallbackDelivery {
        let connection = try ReceiverConnection(
            on: MultiThreadedEventLoopGroup.singleton, trusting: try configuration.callbackAuthorities())
        let sender = EventSender(
            addresses: ReceiverAddresses(allowing: configuration.callbackNetworks), resolve: SystemResolver.resolve
        ) { payload, headers, url, address in
            await connection.send(payload, headers: headers, to: url, at: address)
        }
        return CallbackDelivery(
            authority: installation.authority, store: installation.store, sender: sender, logger: logger)
    }
}

extension ServerConfiguration {
    /// Who signs the certificates of receivers, besides the system's authorities.
    fileprivate func callbackAuthorities() throws(ConfigurationError) -> [NIOSSLCertificate] {
        guard let path = callbackAuthorityFile else { return [] }
        do { return try NIOSSLCertificate.fromPEMFile(path) } catch {
            throw ConfigurationError(key: "callbacks.authorities", problem: "\(path) is not a file of PEM certificates")
        }
    }
}
