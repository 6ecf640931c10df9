package import NIOCore
package import NIOSSL

/// Accounting over TLS (RFC 6614): where connections are taken, under which certificate, and how many.
package struct RadSecSettings: Sendable {
    package var address: GatewayConfiguration.AccountingAddress
    /// The TLS context of a new connection. It must ask for the client's certificate and verify it.
    package var context: @Sendable () -> NIOSSLContext
    package var limits = RadSecLimits()

    package init(
        address: GatewayConfiguration.AccountingAddress, context: @escaping @Sendable () -> NIOSSLContext
    ) {
        self.address = address
        self.context = context
    }
}

/// The limits for the connections of NASes.
package struct RadSecLimits: Sendable, Hashable {
    /// Open connections of one NAS. A further one ends the oldest, which may be one that died without a word.
    package var connectionsPerServer = 16
    /// Connections that have not shown a certificate yet. A further one ends the oldest.
    package var strangers = 64
    /// How long a client has to show its certificate.
    package var handshake: TimeAmount = .seconds(10)
    /// How long the rest of a packet may keep us waiting.
    package var rest: TimeAmount = .seconds(10)
    /// How long answers may wait for a client that does not read them.
    package var stall: TimeAmount = .seconds(30)
    /// Packets of a connection that wait for their answers. No more are read meanwhile: a client has 256 identifiers.
    package var window = 256

    package init() {}
}
