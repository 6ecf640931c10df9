import AsyncHTTPClient
import BenjiProtocol
import Logging
import ServerHTTP
import ServiceLifecycle
import ShortMessageSending
import ShortMessages

/// The senders of short messages, and what keeps them running.
struct ShortMessageParts: Sendable {
    let senders: SenderList
    /// They come before the listeners, so that a server that ends still sends what it has taken.
    let services: [any Service]

    /// One sender that needs no service and reports no receipts.
    init(_ sender: any ShortMessageSender) {
        senders = SenderList([sender])
        services = []
    }

    /// - Parameter listener: gets receipts and phones' messages.
    /// - Returns: `nil` if no sender is configured.
    init?(
        _ settings: [ServerConfiguration.ShortMessageSenderSettings], listener: any ShortMessageListener,
        clock: any WallClock, logger: Logger
    ) {
        guard !settings.isEmpty else { return nil }
        let listener = CountingListener(listener)
        var senders: [any ShortMessageSender] = []
        var services: [any Service] = []
        for sender in settings {
            switch sender.kind {
            case .smpp(let configuration):
                let smpp = SMPPSender(
                    configuration, listener: listener, clock: clock, random: SystemRandomSource(), logger: logger)
                senders.append(smpp)
                services.append(SMPPService(sender: smpp))
            case .http(let configuration, let tls):
                let client = HTTPSender.client(tls: tls, responseTime: configuration.responseTime)
                senders.append(HTTPSender(configuration, client: client))
                services.append(HTTPClientLifetime(client: client))
            case .file(let path):
                senders.append(FileSender(name: sender.name, path: path, clock: clock, random: SystemRandomSource()))
            }
        }
        self.senders = SenderList(senders)
        self.services = services
    }

    /// Numbers log in without short messages, so that a sender in trouble is a warning.
    var check: HealthEndpoints.Check {
        HealthEndpoints.Check("sms", warnings: { [senders] in await senders.troubles() }, problem: { nil })
    }
}

private struct SMPPService: Service {
    let sender: SMPPSender

    func run() async throws { await sender.run() }
}

/// Ends a client with the server.
struct HTTPClientLifetime: Service {
    let client: HTTPClient

    func run() async throws {
        try? await gracefulShutdown()
        try await client.shutdown()
    }
}
