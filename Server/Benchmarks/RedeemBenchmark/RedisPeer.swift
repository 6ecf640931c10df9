import BenchmarkSupport
import Foundation

/// A solution of an afternoon: nginx with a few lines of Lua, and Redis, which syncs before it answers.
final class RedisPeer {
    private let scratch: Scratch
    private let nginx: Nginx
    private let core: Int
    private let isCareless: Bool
    private let group = ProcessGroup()
    private var made = 0
    private var socket: String { scratch.file("redis.sock") }

    /// - Parameter isCareless: keeps everything in memory only, to show that this is noticed.
    init(_ scratch: Scratch, core: Int, isCareless: Bool) throws {
        try Installed.require("redis-server", package: "redis-server")
        try Installed.require("redis-cli", package: "redis-tools")
        try Installed.require("/usr/lib/nginx/modules/ngx_http_lua_module.so", package: "libnginx-mod-http-lua")
        try Installed.require("/usr/share/lua/5.1/nginx/redis.lua", package: "lua-nginx-redis")
        try Installed.require("/usr/share/lua/5.1/cjson/util.lua", package: "lua-cjson")
        (self.scratch, self.core, self.isCareless) = (scratch, core, isCareless)
        nginx = try Nginx("nginx-redis", scratch, core: core)
        try FileManager.default.createDirectory(atPath: scratch.file("redis"), withIntermediateDirectories: true)
    }

    /// - Parameter perRound: tokens made for each round.
    func contestant(_ load: Load, perRound: Int, codes: (slice: Int, kill: Int)) -> Contestant {
        let witness = Witness(
            port: nginx.port, path: "/", marker: "msisdn", connections: load.connections, core: load.core)
        return .overHTTP(
            "nginx with Redis", group, witness, start: start, take: take, body: body, codes: codes
        ) { [self] round in
            let file = scratch.file("bodies-redis")
            try (try take(perRound).map(body).joined(separator: "\n") + "\n").write(
                toFile: file, atomically: true, encoding: .utf8)
            return try load.run("http://127.0.0.1:\(nginx.port)/", group, bodies: file, fresh: perRound)
        }
    }

    private func start(tracing: String?) throws {
        let log = scratch.file("redis.log")
        try? FileManager.default.removeItem(atPath: log)
        let redis = try group.start(
            "redis-server",
            [
                "--port", "0", "--unixsocket", socket, "--dir", scratch.file("redis"), "--save", "", "--appendonly",
                isCareless ? "no" : "yes", "--appendfsync", "always", "--daemonize", "no",
            ], log: log, core: core, tracing: tracing)
        try redis.wait(for: "ready to accept connections")
        let script = (Bundle.module.path(forResource: "redis", ofType: "lua") ?? "") as NSString
        try nginx.start(
            in: group,
            modules: """
                load_module /usr/lib/nginx/modules/ndk_http_module.so;
                load_module /usr/lib/nginx/modules/ngx_http_lua_module.so;
                """,
            settings: """
                lua_package_path "\(script.deletingLastPathComponent)/?.lua;/usr/share/lua/5.1/?.lua;;";
                lua_package_cpath "/usr/lib/x86_64-linux-gnu/lua/5.1/?.so;;";
                init_by_lua_block { peer = dofile("\(script)") }
                """,
            answer: #"content_by_lua_block { peer.answer("\#(socket)") }"#, tracing: tracing)
    }

    /// Puts tokens into Redis, each with what it stands for.
    private func take(_ count: Int) throws -> [String] {
        let fill = """
            for i = 1, tonumber(ARGV[2]) do
                redis.call("SET", string.format("STsid%051d", ARGV[1] + i), "13800000000")
            end
            """
        try Child.run(
            "redis-cli", ["-s", socket, "-e", "EVAL", fill, "0", "\(made)", "\(count)"],
            log: scratch.file("redis-cli.log"))
        let tokens = (1...count).map { index in
            let digits = "\(made + index)"
            return "STsid" + String(repeating: "0", count: 51 - digits.count) + digits
        }
        made += count
        return tokens
    }

    /// A request of the size of Benji's. Nothing is signed, because nothing checks it.
    ///
    /// The token comes last: LuaJIT, in wrk and in nginx, hashes long strings by a few of their characters, the last
    /// among them. Where these are the same in all requests, each looks through all others.
    private func body(_ token: String) -> String {
        #"{"version":"2.0","msgid":"\#(token.suffix(32))","systemtime":"20261121120000000","strictcheck":"0","#
            + #""appid":"300000000001","sign":"0123456789abcdef0123456789abcdef","token":"\#(token)"}"#
    }
}

extension Contestant {
    /// One that takes a code with each request over HTTP.
    static func overHTTP(
        _ name: String, _ group: ProcessGroup, _ witness: Witness, start: @escaping (String?) throws -> Void,
        take: @escaping (Int) throws -> [String], body: @escaping (String) -> String, codes: (slice: Int, kill: Int),
        round: @escaping (Int) async throws -> Measurement
    ) -> Contestant {
        Contestant(
            name: name, group: group, start: start, take: take, round: round,
            spend: { codes, kill in try witness.run(codes.map(body), kill: kill).accepted.map { codes[$0] } },
            accepted: { try witness.run($0.map(body)).accepted.count }, codes: codes)
    }
}
