import ArgumentParser
import BenjiClient
import BenjiProtocol
import Foundation
import Load
import RADIUS
import ServerRuntime

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Put a server under load: phones log in and app servers redeem, at a rate, and it is measured.",
        discussion: """
            Every login is a whole one: a connection from the phone's own address, prefetch and authorize signed by \
            its device key, and
            redemption by an app server, signed as the operators' documents say. Logins begin evenly, whether or not \
            earlier ones are
            finished, so a server that stalls has the logins of the stall to answer too.

            Without a server it starts one of its own in a temporary folder, and removes it:
              benji bench --rate 100 --seconds 30
              benji bench --maximum                   the highest rate that it keeps up with

            Against a server that runs, with an app that was registered there (benji app create):
              benji bench --rate 100 --device http://127.0.0.1:8080 --server http://127.0.0.1:8081 \\
                --accounting 127.0.0.1:1813 --secret SECRET --app ID --key KEY --server-secret SECRET --bundle \
            com.example.shop

            Phones get the addresses of --pool, which a network element of the server must be allowed to announce; on \
            Linux all of
            127.0.0.0/8 works without set-up. The numbers begin with 1370 and are made up: do not aim it at a service \
            that people use.

            It ends with status 1 if a login failed. Times in the table are milliseconds; a login's counts from the \
            moment it was due.
            Use a release build (make build ARGS=release) for figures: a debug build is several times slower. See \
            docs/load.md.
            """.paragraphs)

    @OptionGroup(title: "Load") var load: BenchLoadOptions
    @OptionGroup(title: "The server; its own if not given") var server: BenchTargetOptions
    @Option(
        help:
            "File to write every operation to, one JSON object a line, as test_kill_load.py --judge reads it."
    )
    var history: String?
    @Flag(help: "One JSON object a line: each second, each step of --maximum, and the summary. Times in microseconds.")
    var json = false

    func validate() throws {
        if load.rate != nil, load.maximum { throw ValidationError("give --rate or --maximum, not both") }
    }

    func run() async throws {
        // Every login under way has one.
        DescriptorLimit.raise()
        let pool = try load.validPool()
        let plan = try load.plan()
        guard let population = Population(pool: pool, count: plan.phones) else {
            throw ValidationError("--pool: has no room for \(plan.phones) phones")
        }
        let file = try history.map { path in
            do { return try HistoryFile(path: path) } catch { throw CommandFailure("\(path) cannot be written") }
        }
        let own = try server.isGiven ? nil : await BenchServer.start(in: server.folder, pool: pool)
        do {
            let target = try own?.target ?? server.target()
            let voice = BenchReporter(isJSON: json)
            voice.begins(plan, search: load.maximum, server: own?.process)
            let stage = try await LoadStage(
                plan, target: target, population: population, recorder: Recorder(history: file))
            let isClean = load.maximum ? await search(stage, plan, voice) : await play(stage, voice)
            await stage.close()
            await own?.stop()
            if let file, !file.close() { throw CommandFailure("the history could not be written to its end") }
            if !isClean { throw ExitCode(1) }
        } catch {
            await own?.stop()
            if let failure = error as? LoadFailure { throw CommandFailure(failure.description) }
            throw error
        }
    }

    private func play(_ stage: LoadStage, _ voice: BenchReporter) async -> Bool {
        let report = await untilInterrupted { await stage.play { voice.second($0) } }
        voice.ends(report)
        return report.isClean
    }

    private func search(_ stage: LoadStage, _ plan: LoadPlan, _ voice: BenchReporter) async -> Bool {
        await untilInterrupted {
            var search = MaximumSearch(latencyLimit: .milliseconds(load.latencyLimit))
            var rate: Double? = plan.rate
            var best: LoadReport?
            while let asked = rate, !Task.isCancelled {
                let report = await stage.play(rate: asked) { voice.second($0) }
                let fault = search.fault(of: report.step)
                voice.step(report, fault: fault)
                if fault == nil, asked > best?.plan.rate ?? 0 { best = report }
                rate = search.next(after: report.step)
            }
            voice.found(best)
            return best != nil
        }
    }

    /// Runs `body`; Ctrl-C and SIGTERM cancel it, and it ends with what it has.
    private func untilInterrupted<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
        let task = Task { await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        return await task.value
    }
}
