#if Face
import Requests
import ServerRuntime
import ArgumentParser
import Authority
import FaceMatching
import Foundation

struct FaceEvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Say how often face matching errs on pairs of pictures.",
        discussion: """
            PAIRS is a list of pairs of which you know whether they show one person, in one of two formats.

              The simple one: two paths and `same` or `different` on a line, separated by tabs, commas or spaces:
                anna/1.jpg   anna/2.jpg   same
                anna/1.jpg   berta/1.jpg  different

              That of Labeled Faces in the Wild (pairs.txt, pairsDevTest.txt): `10 300` or `500`, then `Name 1 4` or \
            `Name 1 Other 2`,
              for the files Name/Name_0001.jpg and so on under --images.

            Paths are relative to --images, or to the list's folder.

            Groups: a further field on every line names the group of people that a pair is counted in, in both formats
            (`anna/1.jpg anna/2.jpg same women`, `Name 1 4 women`). Then the rates of each group are told, with the \
            interval in which the
            true rate is with a certainty of 95 %. It counts pairs as if they were independent: when few people
            are in many pairs, the truth may lie further off.

            What the words mean: a threshold is the similarity from which two pictures count as one person. FMR (false \
            match rate) is how
            many pairs of two people it lets through, FNMR (false non-match rate) how many pairs of one person it \
            turns away, EER the rate
            at the threshold where both are alike. "At most" is what few pairs leave possible, with a certainty of 95 \
            %: to claim one error in ten thousand you need
            thirty thousand pairs of two people without any. Pairs of which a picture is refused, because no face is \
            found in it or a part
            of it is covered, say, are counted apart and judged neither way. With --ring a picture is refused as a \
            login's frame is:
            for any flaw, and when it is larger than a frame may be.

            Where the thresholds are from is said first: the defaults, or the file of --policy.

            Leaves with status 1 if no pair could be compared.

            Examples:
              benji face evaluate pairs.txt
              benji face evaluate lfw/pairs.txt --images lfw/images --engines 4
              benji face evaluate grouped.tsv
            """.paragraphs)

    @Argument(help: "The list of pairs.") var pairs: String
    @Option(help: "The folder of the pictures (default: the list's).") var images: String?
    @Option(help: "Pictures that are looked at at a time; one core each.") var engines = 1
    @Flag(
        help: "Look as a login does: at the largest face in the ring, the circle that fits into the picture's middle.")
    var ring = false
    @OptionGroup var options: FaceOptions
    @OptionGroup var thresholds: FacePolicyOption

    func validate() throws {
        guard (1...64).contains(engines) else { throw ValidationError("--engines: 1 to 64") }
    }

    func run() async throws {
        let list: FacePairList
        do {
            list = try FacePairList(String(decoding: try FaceOptions.read(pairs), as: UTF8.self))
        } catch let problem as FacePairList.Problem {
            throw CommandFailure("\(pairs), \("\(problem)".printable)")
        }
        let analyzer = try await options.analyzer(policy: try thresholds.policy(), engines: engines)
        let folder = images ?? URL(fileURLWithPath: pairs).deletingLastPathComponent().path
        let paths = Set(list.pairs.flatMap { [$0.one, $0.other] }).sorted()
        let embeddings = await Self.embeddings(of: paths, in: folder, analyzer, ring ? .ring : .picture, engines)
        let scores = FaceScores(
            list.pairs.compactMap { pair in
                guard case .success(let one) = embeddings[pair.one], case .success(let other) = embeddings[pair.other]
                else { return nil }
                return .init(
                    similarity: one.similarity(to: other), isSame: pair.isSame, fold: pair.fold,
                    group: pair.group)
            })
        let report = FaceEvaluation(
            list: list, scores: scores,
            refused: embeddings.compactMap { path, result in
                guard case .failure(let error) = result else { return nil }
                return (path, error)
            }.sorted { $0.path < $1.path }, policy: analyzer.policy)
        let terminal = Terminal()
        terminal.print("thresholds: \(thresholds.name)")
        for line in report.lines { terminal.print(line) }
        guard !scores.scores.isEmpty else { throw ExitCode(1) }
    }

    private static func embeddings(
        of paths: [String], in folder: String, _ analyzer: LocalFaceAnalyzer, _ framing: FaceFraming, _ lanes: Int
    ) async -> [String: Result<FaceEmbedding, FaceError>] {
        let begin = ContinuousClock.now
        var found: [String: Result<FaceEmbedding, FaceError>] = [:]
        await withTaskGroup(of: (String, Result<FaceEmbedding, FaceError>).self) { group in
            var rest = paths.makeIterator()
            func start() {
                guard let path = rest.next() else { return }
                group.addTask { (path, await Self.embedding(of: folder + "/" + path, analyzer, framing)) }
            }
            for _ in 0..<lanes { start() }
            while let (path, result) = await group.next() {
                found[path] = result
                start()
                note(found.count, of: paths.count, since: begin)
            }
        }
        return found
    }

    private static func embedding(
        of path: String, _ analyzer: LocalFaceAnalyzer, _ framing: FaceFraming
    ) async -> Result<FaceEmbedding, FaceError> {
        guard let bytes = try? FaceOptions.read(path) else {
            return .failure(FaceError(.imageEmpty, "the file cannot be read"))
        }
        do throws(FaceError) {
            let face = try await analyzer.observe(
                bytes, measuring: .embedding, in: framing,
                within: framing == .ring ? analyzer.policy.challenge.limits : nil)
            let flaws = analyzer.policy.flaws(of: face)
            // No login compares a face that is partly hidden.
            if let flaw = flaws.first(where: \.hides) { throw FaceError(.faceHidden, flaw.rawValue) }
            if framing == .ring, let flaw = flaws.first { throw FaceError(.faceFlawed, flaw.rawValue) }
            guard let embedding = face.embedding else { throw FaceError(.failed, "no embedding") }
            return .success(embedding)
        } catch {
            return .failure(error)
        }
    }

    /// Progress on standard error: a line that is written over on a terminal, one for each tenth elsewhere.
    private static func note(_ done: Int, of count: Int, since begin: ContinuousClock.Instant) {
        let isTerminal = isatty(STDERR_FILENO) == 1
        guard isTerminal || done == count || done % max(count / 10, 1) == 0 else { return }
        let seconds = Double((ContinuousClock.now - begin).components.seconds)
        let left = Int(seconds / Double(done) * Double(count - done))
        let text = "\(done) of \(count) pictures\(done < count && seconds > 2 ? ", about \(left) s left" : "")"
        let line = isTerminal ? "\r\u{1b}[K\(text)\(done == count ? "\n" : "")" : text + "\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
#endif
