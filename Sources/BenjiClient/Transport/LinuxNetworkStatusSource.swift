#if os(Linux)
import BenjiProtocol

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Asks the kernel at each call which interfaces are up; it blocks for no longer than the kernel takes to list them.
public struct LinuxNetworkStatusSource: NetworkStatusSource {
    public init() {}

    public func networkStatus() async -> NetworkStatus { NetworkStatus(Self.interfaces()) }

    /// Every interface that has an address, in the kernel's order; none when the kernel does not say.
    public static func interfaces() -> [NetworkInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var interfaces: [NetworkInterface] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let rawName = entry.ifa_name, let address = address(entry.ifa_addr) else { continue }
            let name = String(cString: rawName)
            if let index = interfaces.firstIndex(where: { $0.name == name }) {
                interfaces[index].addresses.append(address)
            } else {
                // IFF_UP and IFF_RUNNING.
                let isRunning = entry.ifa_flags & 0x41 == 0x41
                interfaces.append(
                    NetworkInterface(
                        name: name, deviceType: deviceType(name), isRunning: isRunning, addresses: [address]))
            }
        }
        return interfaces
    }

    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>?) -> InternetAddress? {
        guard let pointer else { return nil }
        let raw = UnsafeRawPointer(pointer)
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { InternetAddress(bytes: $0) }
        case AF_INET6:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) {
                InternetAddress(bytes: $0)
            }
        default: return nil
        }
    }

    /// `DEVTYPE=` in `/sys/class/net/<name>/uevent`. The kernel allows no "/" in a name.
    private static func deviceType(_ name: String) -> String? {
        guard let file = fopen("/sys/class/net/\(name)/uevent", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = fread(&bytes, 1, bytes.count, file)
        return deviceType(uevent: bytes[..<count])
    }

    static func deviceType(uevent bytes: some Collection<UInt8>) -> String? {
        for line in bytes.split(separator: 0x0a) where line.starts(with: "DEVTYPE=".utf8) {
            return String(decoding: line.dropFirst("DEVTYPE=".utf8.count), as: UTF8.self)
        }
        return nil
    }
}
#endif
