import ArgumentParser
import BenjiClient
import BenjiProtocol
import Load
import RADIUS
import ServerRuntime

/// How much is played.
struct BenchLoadOptions: ParsableArguments {
    @Option(help: "Logins a second. 50 if not given.") var rate: Double?
    @Flag(
        help: """
            Find the highest rate: up by half until a step fails, then three times into the middle. A step holds if \
            99.9 % of its \
            logins succeed, 95 % of the rate is finished, and the 99th percentile of a login is within --latency-limit.
            """) var maximum = false
    @Option(help: "Milliseconds that one login in a hundred may take longer than, with --maximum.")
    var latencyLimit: Int64 = 500
    @Option(
        help: "Seconds in which logins begin; with --maximum, those of each step. 30, or 8 for a step, if not given.")
    var seconds: Double?
    @Option(
        help: """
            Phones with a session. If not given, so many that none asks for more than 60 prefetches in ten minutes, \
            which is the \
            limit of a number; 20000 with --maximum.
            """) var phones: Int?
    @Option(help: "Connections that app servers keep open.") var connections = 16
    @Option(help: "How many of a hundred logins are number verifications.") var verifications = 10
    @Option(help: "Seconds to wait for an answer.") var timeout: Double = 5
    @Option(help: "Seconds between two Interim-Updates of a session.") var interim: Double = 300
    @Option(help: "The addresses of the phones.") var pool = "127.8.0.0/16"

    func plan() throws -> LoadPlan {
        guard timeout > 0, timeout <= 600 else { throw ValidationError("--timeout: more than 0, at most 600 seconds") }
        let plan = LoadPlan(
            rate: rate ?? 50, seconds: seconds ?? (maximum ? 8 : 30), phones: phones ?? (maximum ? 20_000 : nil),
            connections: connections, verificationPercent: verifications,
            timeout: .milliseconds(Int64(timeout * 1000)), interim: interim)
        if let problem = plan.problem { throw ValidationError(problem) }
        return plan
    }

    func validPool() throws -> IPPrefix {
        guard let prefix = IPPrefix(pool) else { throw ValidationError("--pool: a block such as 127.8.0.0/16") }
        return prefix
    }
}

/// The server under load.
struct BenchTargetOptions: ParsableArguments {
    @Option(help: "Where phones call, such as http://127.0.0.1:8080.") var device: String?
    @Option(help: "Where app servers call, such as http://127.0.0.1:8081.") var server: String?
    @Option(help: "Where the gateway hears accounting, such as 127.0.0.1:1813.") var accounting: ListenAddress?
    @Option(help: "The shared secret of the network element that we play.") var secret: String?
    @Option(help: "The address that accounting is sent from, which the gateway must allow.") var source:
        InternetAddress?
    @Option(help: "The app's id.") var app: AppID?
    @Option(help: "The app's key, which phones show.") var key: String?
    @Option(help: "The app's server secret, which its server signs with. The key if not given.")
    var serverSecret: String?
    @Option(help: "The app's bundle id.") var bundle: String?
    @Option(help: "The address that app servers call from, which the app must have registered.")
    var appServer: InternetAddress?
    @Option(help: "Where the data of a server of its own lies; the system's folder for temporary files if not given.")
    var folder: String?

    /// Whether any option names a server.
    var isGiven: Bool {
        device != nil || server != nil || accounting != nil || secret != nil || app != nil || key != nil
            || serverSecret != nil
            || bundle != nil
    }

    func target() throws -> LoadTarget {
        func given<Value>(_ value: Value?, _ name: String) throws -> Value {
            guard let value else {
                throw ValidationError(
                    "--\(name) is missing; a server that runs needs all of them, see benji bench --help")
            }
            return value
        }
        func url(_ text: String, _ name: String) throws -> ServerURL {
            do { return try ServerURL(text) } catch { throw ValidationError("--\(name): \(error)") }
        }
        guard let secret = SharedSecret(try given(secret, "secret")) else {
            throw ValidationError("--secret: must not be empty")
        }
        guard let appServer = appServer ?? InternetAddress(DemoStage.appServerAddress) else {
            throw ValidationError("--app-server")
        }
        let accounting = try given(accounting, "accounting")
        let appKey = try given(key, "key")
        let target = LoadTarget(
            device: try url(given(device, "device"), "device"), server: try url(given(server, "server"), "server"),
            accounting: (accounting.host, accounting.port), secret: secret, networkSource: source,
            appID: try given(app, "app"), appKey: appKey,
            serverSecret: serverSecret ?? appKey, bundleID: try given(bundle, "bundle"),
            appServer: appServer)
        if let problem = target.problem { throw ValidationError(problem) }
        return target
    }
}
