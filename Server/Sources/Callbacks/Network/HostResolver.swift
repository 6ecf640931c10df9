package import BenjiProtocol
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Finds a name's addresses. Asked once for each attempt: what it says is checked, and the connection goes there.
package typealias HostResolver = @Sendable (_ host: String) async throws -> [InternetAddress]

/// The system's resolver, on threads that may wait.
package enum SystemResolver {
    package static let resolve: HostResolver = { host in
        try await threads.runIfActive { addresses(of: host) }
    }

    /// Its own, because a resolver that does not answer holds a thread for long, and the shared ones have other work.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 32)
        threads.start()
        return threads
    }()

    private static func addresses(of host: String) -> [InternetAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [InternetAddress] = []
        var next = found
        while let info = next {
            next = info.pointee.ai_next
            guard let address = address(info.pointee), !addresses.contains(address) else { continue }
            addresses.append(address)
        }
        return addresses
    }

    private static func address(_ info: addrinfo) -> InternetAddress? {
        guard let raw = UnsafeRawPointer(info.ai_addr) else { return nil }
        switch info.ai_family {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return withUnsafeBytes(of: address) { InternetAddress(bytes: Array($0)) }
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: address) { InternetAddress(bytes: Array($0)) }
        default: return nil
        }
    }
}
