import NIOCore
import NIOHTTP1

/// Applies the rules of HTTP/1 that are lost where heads become version-independent (RFC 9112).
///
/// - A request of HTTP/1.0 without `keep-alive` is the last one (section 9.3). It may lack `Host` (section 3.2): the
///   connection's own address takes its place.
/// - A request with `Upgrade` is answered without the upgrade (RFC 9110 §7.8). It is the last one, because the parser
///   reads nothing after it.
/// - A target in absolute form that names another host than `Host` counts as a second `Host`.
final class RequestHeadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = head.version == .http1_0 || head.version == .http0_9
        let hasUpgrade = head.headers.contains { name, _ in name.utf8.count == 7 && name.lowercased() == "upgrade" }
        let isPath = head.uri.utf8.first == UInt8(ascii: "/")
        guard isOld || hasUpgrade || !isPath else { return context.fireChannelRead(data) }
        if hasUpgrade || !head.isKeepAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
        let told = head.headers.first(name: "host")?.lowercased()
        let meant = isPath ? nil : Self.host(head.uri)
        if told == nil ? isOld : meant != nil && meant != told {
            head.headers.add(name: "host", value: meant ?? Self.ownAddress(context.channel))
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// The address to which a client that names no host has connected.
    private static func ownAddress(_ channel: any Channel) -> String {
        guard let address = channel.localAddress, let host = address.ipAddress else { return "localhost" }
        return address.protocol == .inet6 ? "[\(host)]" : host
    }

    /// The host and port of a target in absolute form, in lower case.
    private static func host(_ target: String) -> String? {
        guard let scheme = target.firstRange(of: "://") else { return nil }
        return target[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }.lowercased()
    }
}
