import BenchmarkSupport
import Foundation

/// nginx as one process, which ends with its parent, with whatever is to be answered.
struct Nginx {
    var scratch: Scratch
    /// Its folder in the scratch folder.
    var name: String
    var core: Int
    let port: UInt16

    init(_ name: String, _ scratch: Scratch, core: Int) throws {
        (self.name, self.scratch, self.core) = (name, scratch, core)
        try Installed.require("nginx", package: "nginx-light")
        port = try Loopback.freePort()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private var folder: String { scratch.file(name) }

    /// - Parameters:
    ///   - modules: lines that load them.
    ///   - settings: lines of the http block.
    ///   - answer: lines of its one location.
    func start(
        in group: ProcessGroup, modules: String = "", settings: String = "", answer: String, tracing: String? = nil
    ) throws {
        let configuration = """
            \(modules)
            daemon off;
            master_process off;
            user root;
            worker_processes 1;
            pid \(folder)/nginx.pid;
            error_log \(folder)/nginx-error.log error;
            events { worker_connections 4096; }
            http {
                access_log off;
                keepalive_requests 100000000;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                \(settings)
                server {
                    listen 127.0.0.1:\(port);
                    default_type "application/json; charset=utf-8";
                    add_header Cache-Control no-store;
                    location / { \(answer) }
                }
            }
            """
        let file = folder + "/nginx.conf"
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        let process = try group.start(
            Installed.require("nginx", package: "nginx-light"), ["-c", file, "-p", folder], log: folder + "/nginx.log",
            core: core, tracing: tracing)
        try process.wait { Loopback.get("/", port: port) != nil }
    }

    /// Answers every request with the same text from memory.
    func startStatic(in group: ProcessGroup, answer: String) throws {
        let text = answer.replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "$", with: " ")
        try start(in: group, answer: "return 200 \"\(text)\";")
    }
}
