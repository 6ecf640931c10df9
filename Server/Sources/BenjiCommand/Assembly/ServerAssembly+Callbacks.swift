import Authority
import Callbacks
import NIOPosix
import NIOSSL
import OpenIDProvider
import ServerRuntime

extension ServerAssembly {
    /// Notifies apps' callbacks of their logins' outcomes.
    func callbackDelivery(_ installation: Installation) throws -> CallbackDelivery {
        CallbackDelivery(
            authority: installation.authority, store: installation.store, sender: try eventSender(), logger: logger)
    }

    /// Notifies people and clients of backchannel requests.
    func backchannelNotices(_ installation: Installation, _ queue: NoticeQueue) throws -> BackchannelNotices {
        let sender = PingSender(
            sender: try eventSender(), rules: installation.authority.configuration.callbacks, logger: logger)
        return BackchannelNotices(
            later: { queue.add($0, $1) },
            ping: { await sender.send($0.payload, to: $0.endpoint, token: $0.token, of: $0.appID) })
    }

    private func eventSender() throws -> EventSender {
        let connection = try ReceiverConnection(
            on: MultiThreadedEventLoopGroup.singleton, trusting: try configuration.callbackAuthorities())
        return EventSender(
            addresses: ReceiverAddresses(allowing: configuration.callbackNetworks), resolve: SystemResolver.resolve
        ) { payload, headers, url, address in
            await connection.send(payload, headers: headers, to: url, at: address)
        }
    }
}

extension ServerConfiguration {
    /// The signers of receivers' certificates, besides the system's authorities.
    fileprivate func callbackAuthorities() throws(ConfigurationError) -> [NIOSSLCertificate] {
        guard let path = callbackAuthorityFile else { return [] }
        do { return try NIOSSLCertificate.fromPEMFile(path) } catch {
            throw ConfigurationError(key: "callbacks.authorities", problem: "\(path) is not a file of PEM certificates")
        }
    }
}
