internal import BenchmarkSupport
internal import Foundation
internal import Glibc

/// A server under measurement.
struct Contestant {
    var process: Child
    var url: String

    static func benji(_ program: String, _ supply: Supply, core: Int) throws -> Contestant {
        let process = try Child(
            program, ["serve", "--config", supply.configuration], log: supply.scratch.file("benji.log"), core: core)
        try process.wait { accepts(port: supply.port) }
        return Contestant(process: process, url: "http://127.0.0.1:\(supply.port)/unisdk/rsapi/loginTokenValidate")
    }

    /// nginx with one worker, answering every request from memory.
    static func nginx(_ scratch: Scratch, answer: String, core: Int) throws -> Contestant {
        let port = try freePort()
        let text = answer.replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "$", with: " ")
        let configuration = """
            daemon off;
            user root;
            worker_processes 1;
            pid \(scratch.file("nginx.pid"));
            error_log \(scratch.file("nginx-error.log")) error;
            events { worker_connections 4096; }
            http {
                access_log off;
                keepalive_requests 100000000;
                client_body_temp_path \(scratch.file("body"));
                proxy_temp_path \(scratch.file("proxy"));
                fastcgi_temp_path \(scratch.file("fastcgi"));
                uwsgi_temp_path \(scratch.file("uwsgi"));
                scgi_temp_path \(scratch.file("scgi"));
                server {
                    listen 127.0.0.1:\(port);
                    default_type "application/json; charset=utf-8";
                    add_header Cache-Control no-store;
                    location / { return 200 "\(text)"; }
                }
            }
            """
        let file = scratch.file("nginx.conf")
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        // Debian keeps it where an ordinary user's PATH does not look.
        let process = try Child(
            "/usr/sbin/nginx", ["-c", file, "-p", scratch.path], log: scratch.file("nginx.log"), core: core)
        try process.wait { accepts(port: port) }
        return Contestant(process: process, url: "http://127.0.0.1:\(port)/")
    }
}

/// A port of the loopback that is free now.
func freePort() throws(BenchmarkFailure) -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
    }
    guard bound else { throw BenchmarkFailure("no free port: \(String(cString: strerror(errno)))") }
    return UInt16(bigEndian: address.sin_port)
}

private func accepts(port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port: port)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}
