import Atomics
import Foundation

/// Memory that two processes share: a barrier for each round, and who won it.
///
/// Two processes on one file are no race by themselves: one of them wins nearly all rounds because it is ahead. So
/// both wait at a barrier for every single token, spinning, and are released together.
struct SharedRounds {
    private let arrivals: UnsafeMutablePointer<Int64.AtomicRepresentation>
    private let wins: UnsafeMutablePointer<UInt8>
    let rounds: Int

    /// Maps `path`, making it if `create`.
    init(path: String, rounds: Int, create: Bool) throws {
        let size = rounds * MemoryLayout<Int64.AtomicRepresentation>.stride + rounds * 2
        let descriptor = open(path, O_RDWR | (create ? O_CREAT | O_EXCL : 0), 0o600)
        guard descriptor >= 0 else { throw RaceError("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        guard !create || ftruncate(descriptor, size) == 0,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { throw RaceError("\(path): \(String(cString: strerror(errno)))") }
        self.rounds = rounds
        arrivals = memory.bindMemory(to: Int64.AtomicRepresentation.self, capacity: rounds)
        wins = memory.advanced(by: rounds * MemoryLayout<Int64.AtomicRepresentation>.stride)
            .bindMemory(to: UInt8.self, capacity: rounds * 2)
    }

    /// Waits until both processes have come to `round`.
    /// - Throws: when the other one has not come within ten seconds: it has died.
    func wait(round: Int) throws {
        let counter = UnsafeAtomic<Int64>(
            at: UnsafeMutableRawPointer(arrivals + round).assumingMemoryBound(to: UnsafeAtomic<Int64>.Storage.self))
        counter.wrappingIncrement(ordering: .acquiringAndReleasing)
        var spins = 0
        let start = ContinuousClock.now
        while counter.load(ordering: .acquiring) < 2 {
            spins += 1
            // On a busy machine the other one may be waiting for this processor.
            if spins > 1 << 12 { sched_yield() }
            if spins.isMultiple(of: 1 << 20), ContinuousClock.now - start > .seconds(10) {
                throw RaceError("the other process did not come to round \(round)")
            }
        }
    }

    func note(win: Bool, round: Int, worker: Int) { wins[round * 2 + worker] = win ? 1 : 0 }

    func won(round: Int, worker: Int) -> Bool { wins[round * 2 + worker] == 1 }
}

struct RaceError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
