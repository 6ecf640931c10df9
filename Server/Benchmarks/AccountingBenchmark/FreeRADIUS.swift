import BenchmarkSupport
import Foundation

/// A FreeRADIUS that answers accounting and does nothing with it: no module but the one that says yes, no log line.
final class FreeRADIUS {
    let port: UInt16
    private let process: Child

    init(in scratch: Scratch, secret: String, core: Int, threads: Int) throws {
        port = try Loopback.freePort(.datagram)
        let folder = scratch.file("freeradius")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let configuration = """
            prefix = /usr
            libdir = /usr/lib/freeradius
            logdir = \(folder)
            run_dir = \(folder)
            raddbdir = \(folder)
            name = radiusd
            max_request_time = 5
            cleanup_delay = 0
            max_requests = 65536
            hostname_lookups = no
            proxy_requests = no
            log {
                destination = stdout
            }
            security {
                allow_vulnerable_openssl = yes
            }
            thread pool {
                start_servers = \(threads)
                max_servers = \(threads)
                min_spare_servers = \(threads)
                max_spare_servers = \(threads)
                max_queue_size = 65536
            }
            client packet-core {
                ipaddr = 127.0.0.1
                secret = \(secret)
            }
            modules {
                always ok {
                    rcode = ok
                }
            }
            server default {
                listen {
                    type = acct
                    ipaddr = 127.0.0.1
                    port = \(port)
                    recv_buff = 4194304
                }
                accounting {
                    ok
                }
            }
            """
        try configuration.write(toFile: folder + "/radiusd.conf", atomically: true, encoding: .utf8)
        try "".write(toFile: folder + "/dictionary", atomically: true, encoding: .utf8)
        let alone = threads == 0 ? ["-s"] : ["-f"]
        // Debian keeps it where an ordinary user's PATH does not look.
        process = try Child(
            "/usr/sbin/freeradius", alone + ["-l", "stdout", "-d", folder, "-D", "/usr/share/freeradius"],
            log: scratch.file("freeradius.log"), core: core)
        try process.wait(for: "Ready to process requests")
    }

    /// Seconds of processor time that it has used so far.
    var processorTime: Double {
        get throws(BenchmarkFailure) { try ProcessUsage.processorTime(of: process.process) }
    }

    /// Can hang when it is asked to stop; ``Child`` ends it then.
    func stop() { process.stop(within: 1) }
}
