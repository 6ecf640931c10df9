import BenjiProtocol
import Glibc

extension ListenAddress {
    /// Why nothing can listen here, in the system's words; `nil` if something can.
    func bindingProblem(isUDP: Bool) -> String? {
        let family = host.family == .v4 ? AF_INET : AF_INET6
        let descriptor = socket(family, Int32((isUDP ? SOCK_DGRAM : SOCK_STREAM).rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
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
        return result == 0 ? nil : String(cString: strerror(errno))
    }
}
