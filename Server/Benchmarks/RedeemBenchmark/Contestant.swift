import BenchmarkSupport
import Foundation

/// A server under measurement.
struct Contestant {
    var url: String
    /// Seconds of processor time that it has used so far.
    var processorTime: () throws -> Double

    /// nginx as one process, which ends with its parent, answering every request from memory.
    static func nginx(_ scratch: Scratch, answer: String, core: Int) throws -> Contestant {
        let port = try Loopback.freePort()
        let text = answer.replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "$", with: " ")
        let configuration = """
            daemon off;
            master_process off;
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
        try process.wait { Loopback.get("/", port: port) != nil }
        return Contestant(url: "http://127.0.0.1:\(port)/") {
            try ProcessUsage.processorTime(of: process.process)
        }
    }
}
