import BenjiClient
import BenjiProtocol

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Asks the kernel, without sending anything, which source address it would use. Name look-ups block.
enum LocalRoute {
    static func sourceAddress(
        towards server: ServerURL, by egress: CurlTransport.Egress
    ) throws(TransportError) -> InternetAddress? {
        if case .sourceAddress(let address) = egress {
            guard SocketAddress(address, port: 0).isOurs else { throw DeviceBinding.failure(EADDRNOTAVAIL, egress) }
            return address
        }
        var reason: Int32 = ENETUNREACH
        for target in try targets(of: server) {
            let socket = Self.socket(target.family)
            guard socket >= 0 else {
                reason = errno
                continue
            }
            defer { close(socket) }
            #if os(Linux)
            if case .interface(let name) = egress, !DeviceBinding.bind(socket, to: name) {
                throw DeviceBinding.failure(errno, egress)
            }
            #else
            // Elsewhere than on Linux the route cannot be asked for one device.
            if case .interface = egress { return nil }
            #endif
            // Connecting a datagram socket only looks the route up.
            guard target.withPointer({ connect(socket, $0, $1) }) == 0 else {
                reason = errno
                continue
            }
            let address = SocketAddress(nameOf: socket)?.address
            #if os(Linux)
            // If the socket is bound to a device without a route, the kernel takes the target to be on its link. It
            // then takes another interface's address as the source. No answer can reach that.
            if case .interface(let name) = egress, let address,
                LinuxNetworkStatusSource.interfaces().first(where: { $0.name == name })?.addresses.contains(address)
                    != true
            {
                reason = ENODEV
                continue
            }
            #endif
            return address
        }
        throw failure(reason, towards: server, by: egress)
    }

    /// The error of a connection that could not be made.
    static func failure(
        _ number: Int32, towards server: ServerURL, by egress: CurlTransport.Egress
    ) -> TransportError {
        switch (number, egress) {
        case (ENETUNREACH, .any), (ENETDOWN, .any), (EADDRNOTAVAIL, .any):
            TransportError(.noNetwork, at: server.origin, "this machine has no route to it")
        case (ENETUNREACH, _), (ENETDOWN, _), (EADDRNOTAVAIL, _), (ENODEV, _): DeviceBinding.failure(ENODEV, egress)
        case (ETIMEDOUT, _): TransportError(.timedOut, at: server.origin, "it did not answer to a connection")
        case (EHOSTUNREACH, _), (EACCES, _):
            TransportError(.connectionRefused, at: server.origin, "it cannot be reached by this network")
        case (ECONNREFUSED, _):
            TransportError(.connectionRefused, at: server.origin, "nothing listens at this address and port")
        // libcurl gives no number when no address of the server is of the source address's family.
        default: TransportError(.connectionRefused, at: server.origin, "no connection came about (errno \(number))")
        }
    }

    private static func socket(_ family: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
        Musl.socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0)
        #else
        Darwin.socket(family, SOCK_DGRAM, 0)
        #endif
    }

    private static func targets(of server: ServerURL) throws(TransportError) -> [SocketAddress] {
        if let address = server.address { return [SocketAddress(address, port: server.port)] }
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(server.host, nil, nil, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            throw TransportError(
                .nameNotResolved, at: server.origin, "the resolver says: \(String(cString: gai_strerror(status)))")
        }
        var targets: [SocketAddress] = []
        var next = list
        while let entry = next {
            // The list has each address once for every kind of socket.
            if let target = SocketAddress(entry.pointee.ai_addr, entry.pointee.ai_addrlen)?.with(port: server.port),
                !targets.contains(target)
            {
                targets.append(target)
            }
            next = entry.pointee.ai_next
        }
        return targets
    }
}
