import BenjiProtocol
import Foundation
import Glibc
import Processes

extension ListenAddress {
    /// Why nothing can listen here, and what to do; `nil` if something can.
    package func bindingProblem(isUDP: Bool) -> String? {
        let family = host.family == .v4 ? AF_INET : AF_INET6
        let descriptor = socket(family, Int32((isUDP ? SOCK_DGRAM : SOCK_STREAM).rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)).lowercased() }
        defer { close(descriptor) }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let result: Int32
        if host.family == .v4 {
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &place.sin_addr) { $0.copyBytes(from: host.bytes) }
            result = withUnsafePointer(to: &place) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        } else {
            var place = sockaddr_in6()
            place.sin6_family = sa_family_t(AF_INET6)
            place.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &place.sin6_addr) { $0.copyBytes(from: host.bytes) }
            result = withUnsafePointer(to: &place) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        guard result != 0 else { return nil }
        switch errno {
        case EADDRINUSE:
            let holders = PortHolder.find(port, isUDP: isUDP).map(\.description).joined(separator: " and ")
            return holders.isEmpty
                ? "another program has this port; it is another user's, and root finds it with: ss "
                    + "-\(isUDP ? "u" : "t")lnp sport = :\(port)"
                : "\(holders) has this port; stop that, or choose another port"
        case EADDRNOTAVAIL: return "this machine does not have the address \(host); name one of: ip address"
        case EACCES:
            return
                "the user \(NSUserName()) may not listen on ports below 1024; choose another port, or give it "
                + "CAP_NET_BIND_SERVICE"
        case let code: return String(cString: strerror(code)).lowercased()
        }
    }
}
