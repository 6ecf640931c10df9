import BenjiProtocol
import RADIUS
import Sandbox

/// Plays the packet core: starts the sessions of all phones, and says every so often that they go on.
///
/// A packet core has many packets on the way at once; here that many senders wait for one answer each.
struct PacketCorePlayer: Sendable {
    private let senders: [AccountingClient]
    private let population: Population
    private let appID: String
    private let recorder: Recorder
    /// The same session has another name in every run.
    private let run: Int64
    private let clock = SystemWallClock()

    init(target: LoadTarget, population: Population, recorder: Recorder, senders: Int = 64) async throws {
        var made: [AccountingClient] = []
        for _ in 0..<max(1, min(senders, population.count)) {
            made.append(
                try await AccountingClient(
                    gateway: target.accounting.address, port: target.accounting.port, secret: target.secret,
                    source: target.networkSource))
        }
        self.senders = made
        self.population = population
        self.appID = target.appID.rawValue
        self.recorder = recorder
        run = clock.now.milliseconds
    }

    /// Starts the session of every phone.
    /// - Returns: how many were not answered.
    func startAll() async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for (offset, sender) in senders.enumerated() {
                group.addTask {
                    var missed = 0
                    for phone in stride(from: offset, to: population.count, by: senders.count) {
                        let operation = Operation(.start, start: recorder.now, phone: phone, app: appID)
                        do {
                            try await sender.send(request(.start, phone: phone))
                            recorder.answered(operation, code: "answered", succeeded: true)
                        } catch {
                            recorder.unanswered(operation, fault: .timedOut)
                            missed += 1
                            // No server answers: no need to wait for every phone.
                            if missed >= 3 { break }
                        }
                    }
                    return missed
                }
            }
            return await group.reduce(0, +)
        }
    }

    /// Sends Interim-Updates, each phone's once in `interim` seconds, until the task is cancelled.
    func keepUp(every interim: Double) async {
        await withTaskGroup(of: Void.self) { group in
            for (offset, sender) in senders.enumerated() {
                group.addTask {
                    let phones = Array(stride(from: offset, to: population.count, by: senders.count))
                    guard !phones.isEmpty else { return }
                    let began = ContinuousClock.now
                    var sent = 0
                    while !Task.isCancelled {
                        sent += 1
                        let moment = began + .seconds(Double(sent) * interim / Double(phones.count))
                        do { try await Task.sleep(until: moment) } catch { return }
                        let start = recorder.now
                        do {
                            try await sender.send(request(.interimUpdate, phone: phones[(sent - 1) % phones.count]))
                            recorder.add(.update, microseconds: recorder.now - start, failure: nil)
                        } catch {
                            recorder.add(.update, microseconds: nil, failure: "(\(ConnectionFault.timedOut.rawValue))")
                        }
                    }
                }
            }
        }
    }

    func close() async { for sender in senders { await sender.close() } }

    private func request(_ status: AccountingStatus, phone: Int) -> AccountingRequest {
        var request = AccountingRequest(status: status, sessionID: "load-\(run)-\(phone)")
        request.nasIdentifier = Array("benji-bench".utf8)
        request.framedAddress = population.address(phone)
        request.callingStation = "86\(population.nationalNumber(phone))"
        request.imsi = population.imsi(phone)
        request.eventTimestamp = UInt32(clamping: clock.now.seconds)
        return request
    }
}
