#if Face
import ArgumentParser
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

              That of Labeled Faces in the Wild (pairs.txt, pairsDevTest.txt): `10 300` or `500`, then `Name 1 4` or `Name 1 Other 2`,
              for the files Name/Name_0001.jpg and so on under --images.

            Paths are relative to --images, or to the list's folder.

            What the words mean: a threshold is the similarity from which two pictures count as one person. FAR is how many pairs of two
            people it lets through, FRR how many pairs of one person it turns away, EER the rate at the threshold where both are
            alike. "At most" is what few pairs leave possible, with a certainty of 95 %: to claim one error in ten thousand you need
            thirty thousand pairs of two people without any. Pairs of which a picture is refused, because no face is found in it, say,
            are counted apart and judged neither way.

            Leaves with status 1 if no pair could be compared.

            Examples:
              benji face evaluate pairs.txt --plot pairs.svg
              benji face evaluate lfw/pairs.txt --images lfw/images --engines 4
            """.paragraphs)

    @Argument(help: "The list of pairs.") var pairs: String
    @Option(help: "The folder of the pictures (default: the list's).") var images: String?
    @Option(help: "Write a plot of similarities and error rates to this SVG file.") var plot: String?
    @Option(help: "Pictures that are looked at at a time; one core each.") var engines = 1
    @OptionGroup var options: FaceOptions

    func validate() throws {
        guard engines > 0 else { throw ValidationError("--engines: at least 1") }
    }

    func run() async throws {
        let list: FacePairList
        do {
            list = try FacePairList(String(decoding: try FaceOptions.read(pairs), as: UTF8.self))
        } catch let problem as FacePairList.Problem {
            throw CommandFailure("\(pairs), \(problem)")
        }
        let analyzer = try await options.analyzer(engines: engines)
        let folder = images ?? URL(fileURLWithPath: pairs).deletingLastPathComponent().path
        let paths = Set(list.pairs.flatMap { [$0.one, $0.other] }).sorted()
        let embeddings = await Self.embeddings(of: paths, in: folder, analyzer, engines)
        let scores = FaceScores(
            list.pairs.compactMap { pair in
                guard case .success(let one) = embeddings[pair.one], case .success(let other) = embeddings[pair.other]
                else { return nil }
                return .init(similarity: one.similarity(to: other), isSame: pair.isSame, fold: pair.fold)
            })
        let report = FaceEvaluation(
            list: list, scores: scores,
            refused: embeddings.compactMap { path, result in
                guard case .failure(let error) = result else { return nil }
                return (path, error)
            }.sorted { $0.path < $1.path }, policy: analyzer.policy)
        let terminal = Terminal()
        for line in report.lines { terminal.print(line) }
        guard !scores.scores.isEmpty else { throw ExitCode(1) }
        if let plot {
            do {
                try Data(FaceEvaluationPlot(scores, analyzer.policy).svg.utf8).write(to: URL(fileURLWithPath: plot))
            } catch { throw CommandFailure("\(plot) cannot be written: \(CommandFile.writingProblem(plot))") }
            terminal.print("\nThe plot is in \(plot).")
        }
    }

    private static func embeddings(
        of paths: [String], in folder: String, _ analyzer: LocalFaceAnalyzer, _ lanes: Int
    ) async -> [String: Result<FaceEmbedding, FaceError>] {
        let begin = ContinuousClock.now
        var found: [String: Result<FaceEmbedding, FaceError>] = [:]
        await withTaskGroup(of: (String, Result<FaceEmbedding, FaceError>).self) { group in
            var rest = paths.makeIterator()
            func start() {
                guard let path = rest.next() else { return }
                group.addTask { (path, await Self.embedding(of: folder + "/" + path, analyzer)) }
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
        of path: String, _ analyzer: LocalFaceAnalyzer
    ) async -> Result<FaceEmbedding, FaceError> {
        guard let bytes = try? FaceOptions.read(path) else {
            return .failure(FaceError(.imageEmpty, "the file cannot be read"))
        }
        do throws(FaceError) {
            let face = try await analyzer.observe(bytes, measuring: .embedding)
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
