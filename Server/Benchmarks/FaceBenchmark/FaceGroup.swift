import Authority
import BenchmarkSupport
import BenjiFaceProtocol
import BenjiProtocol
import Crypto
import FaceAccounts
import FaceMatching

/// A group of the greatest size, and the server's search in it, which reads and opens every template.
final class FaceGroup: Sendable {
    private let town: FaceWorkload
    private let faces: FaceProvider
    private let group: String
    private let own: FaceEmbedding
    private let openID: String
    private let sealed: [(key: AES.GCM.SealedBox, template: AES.GCM.SealedBox)]
    private let master = SymmetricKey(size: .bits256)

    let count: Int

    /// The portrait's face among people whose faces are random numbers.
    init(_ town: FaceWorkload, _ street: FaceServer, people count: Int) async throws {
        self.town = town
        self.count = count
        own = street.embedding
        let face = try await street.analyzer.observe(street.portrait, measuring: .all)
        var random = SystemRandomNumberGenerator()
        var people = (1..<count).map { _ in
            FaceEmbedding((0..<FaceEmbedding.size).map { _ in Float.random(in: -1...1, using: &random) })
                ?? street.embedding
        }
        people.append(own)
        faces = town.provider(street.analyzer, StagedChallenges(street.analyzer, face, clock: town.clock))
        let enrolled = try await town.enrol(people, faces)
        guard let last = enrolled.last, enrolled.count == count else { throw BenchmarkFailure("somebody is missing") }
        openID = last.openID
        group = try await town.group(of: enrolled, faces)
        let (key, template) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 513))
        let master = master
        sealed = try (0..<count).map { _ in
            (try AES.GCM.seal(key, using: master), try AES.GCM.seal(template, using: SymmetricKey(data: key)))
        }
    }

    /// Milliseconds of processor time for one search.
    func search() async throws -> Double {
        let session = try await town.looking(for: own, in: group, faces)
        let begin = ProcessUsage.own.processor
        let found = try await faces.search(FaceSearchRequest(session: session), from: town.call())
        let time = ProcessUsage.own.processor - begin
        guard found.candidate == openID else { throw BenchmarkFailure("the group search does not find who is there") }
        return time * 1000
    }

    /// Bytes by which the process is larger, at most, while it searches.
    func growth() async throws -> Int {
        let idle = ProcessUsage.own.memory
        let watch = MemoryWatch()
        _ = try await search()
        return watch.stop() - idle
    }

    /// Milliseconds of processor time for opening as many keys and templates that are in memory, and nothing else.
    func open() throws -> Double {
        let begin = ProcessUsage.own.processor
        var bytes = 0
        for (key, template) in sealed {
            bytes += try AES.GCM.open(template, using: SymmetricKey(data: try AES.GCM.open(key, using: master))).count
        }
        guard bytes == 513 * count else { throw BenchmarkFailure("a template does not open") }
        return (ProcessUsage.own.processor - begin) * 1000
    }
}
