import BenchmarkSupport
import BenjiProtocol
import Foundation
import Gateway
import NIOConcurrencyHelpers

/// Look-ups while another thread takes in Interim-Updates as fast as it can.
final class Contention: Sendable {
    private let population: Population
    private let rates = NIOLockedValueBox<[Double]>([])

    init(_ population: Population) { self.population = population }

    /// Interim-Updates a second that were taken in meanwhile.
    var events: Figures { Figures(rates.withLockedValue { $0 }) }

    func sightings(_ lookups: Int, core: Int) throws -> Double {
        let isDone = NIOLockedValueBox(false)
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread { [population, rates] in
            // On a machine with one core both share it, and the figure shows it.
            try? Cores.pin(to: core)
            var count = 0
            let start = ContinuousClock.now
            while !isDone.withLockedValue({ $0 }) {
                let indices = (0..<1024).map { _ in Int.random(in: 0..<population.count) }
                population.probe.update(indices, at: SystemWallClock().now)
                count += indices.count
            }
            let rate = Double(count) / (ContinuousClock.now - start).inSeconds
            rates.withLockedValue { $0.append(rate) }
            ended.signal()
        }
        thread.start()
        defer {
            isDone.withLockedValue { $0 = true }
            ended.wait()
        }
        return try population.sightings(lookups)
    }
}
