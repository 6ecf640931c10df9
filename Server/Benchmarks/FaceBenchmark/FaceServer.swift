import BenchmarkSupport
import FaceMatching
import Foundation

/// A portrait, engines that look at it, and crowds that want them all at once.
final class FaceServer: Sendable {
    private let folder: FaceModelFolder
    let portrait: [UInt8]
    let analyzer: LocalFaceAnalyzer
    let embedding: FaceEmbedding
    let pixels: Int

    init(_ folder: String) async throws {
        self.folder = FaceModelFolder(folder + "/models")
        let path = folder + "/portraits/president-1.jpg"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw BenchmarkFailure("there is no \(path); run: make face-models ARGS=--portraits")
        }
        portrait = Array(bytes)
        analyzer = try await LocalFaceAnalyzer(models: self.folder, engines: 1)
        let face = try await analyzer.observe(portrait, measuring: .embedding)
        guard let embedding = face.embedding else { throw BenchmarkFailure("the portrait has no embedding") }
        self.embedding = embedding
        pixels = face.imageWidth * face.imageHeight
    }

    /// Milliseconds of processor time for looking at the portrait once.
    func look(_ measures: FaceMeasures, _ repeats: Int) async throws -> Double {
        let begin = ProcessUsage.own.processor
        for _ in 0..<repeats {
            let face = try await analyzer.observe(portrait, measuring: measures)
            guard face.embedding.map({ $0.similarity(to: embedding) > 0.999 }) ?? true else {
                throw BenchmarkFailure("the portrait does not match itself")
            }
        }
        return (ProcessUsage.own.processor - begin) / Double(repeats) * 1000
    }

    func decode(_ repeats: Int) throws -> Double {
        let begin = ProcessUsage.own.processor
        for _ in 0..<repeats { _ = try FaceImage(portrait) }
        return (ProcessUsage.own.processor - begin) / Double(repeats) * 1000
    }

    /// Bytes by which the process is larger, at most, while a crowd is looked at, than it was with two idle engines.
    func crowd(_ count: Int, bound: Int) async throws -> [(name: String, bytes: Int, note: String)] {
        let empty = ProcessUsage.own.memory
        let pool = try await LocalFaceAnalyzer(models: folder, engines: 2)
        try await together(2, portrait, pool)
        let idle = ProcessUsage.own.memory
        var found = [("two engines", idle - empty, "beside one that was there")]
        for (name, picture, hasFace) in [("the portrait", portrait, true), ("the largest image", Self.largest, false)] {
            let watch = MemoryWatch()
            try await together(count, picture, pool, hasFace: hasFace)
            let grown = watch.stop() - idle
            guard grown < bound else {
                throw BenchmarkFailure("\(count) logins with \(name) take \(grown >> 20) MiB more, above the bound")
            }
            found.append(
                ("\(count) logins at once, \(name)", max(grown, 0), "growth at the most; bound \(bound >> 20) MiB"))
        }
        return found
    }

    private func together(_ count: Int, _ picture: [UInt8], _ pool: LocalFaceAnalyzer, hasFace: Bool = true)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do throws(FaceError) {
                        _ = try await pool.observe(picture, measuring: .all)
                        guard hasFace else { throw FaceError(.failed, "a face was found in a grey image") }
                    } catch {
                        guard !hasFace, error.code == .noFace else {
                            throw BenchmarkFailure("a login of the crowd: \(error)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The image that takes most memory: 25 million pixels in a progressive JPEG, of which the decoder keeps every
    /// coefficient. It is grey all over.
    private static let largest: [UInt8] = {
        func segment(_ mark: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xff, mark, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
        }
        let side = 5000
        let sides = [UInt8(side >> 8), UInt8(side & 255)]
        let blocks = (side / 8) * (side / 8) * 3
        return [0xff, 0xd8] + segment(0xdb, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xc2, [8] + sides + sides + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
            // One code, a single 0 bit: the mean is that of the block before.
            + segment(0xc4, [0, 1] + [UInt8](repeating: 0, count: 15) + [0])
            + segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 0, 0]) + [UInt8](repeating: 0, count: (blocks + 7) / 8)
            + [0xff, 0xd9]
    }()
}
