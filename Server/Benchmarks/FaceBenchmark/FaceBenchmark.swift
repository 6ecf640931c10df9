internal import ArgumentParser
internal import BenchmarkSupport
internal import FaceMatching
internal import Foundation

/// What a face costs: looked at, searched for, and when many come at once.
@main
struct FaceBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FaceBenchmark",
        abstract: "Time and memory of face matching.",
        discussion: """
            A portrait is decoded, its face found, measured and compared, on one core: everything that a login asks for, then the parts that
            can be left out. A face is searched for among many by comparing it with each. Then many logins come at once to a pool of two
            engines, with the portrait and with the largest image that is taken, and the growth of the process's memory is measured.

            The yardstick is reading each template of the search once, without calculating. The face must match itself and nobody else,
            the search must find the one template that is its own, every login of the crowd must succeed, and its memory must stay below
            a bound. It needs the models and a portrait: make face-models ARGS=--portraits
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "The folder of models and portraits (default: what BENJI_FACE names, or .face).") var face: String?
    @Option(help: "How often a measurement looks at the portrait.") var repeats = 20
    @Option(help: "Templates to search.") var templates = 100_000
    @Option(help: "Logins at once.") var crowd = 64
    @Option(help: "The core.") var core = 0

    /// Bytes by which a crowd may enlarge a process that has its two engines.
    private static let bound = 512 << 20

    func validate() throws {
        guard repeats > 0, templates > 0, crowd > 0 else {
            throw ValidationError("--repeats, --templates and --crowd: at least 1")
        }
    }

    func run() async throws {
        let folder = face ?? FacePlace.folder()
        let street = try await FaceStreet(folder)
        let crowd = try await street.crowd(options.smoke ? 8 : crowd, bound: Self.bound)

        try Cores.pin(to: core)
        let repeats = options.smoke ? 1 : repeats
        let alone = try await FaceStreet(folder)
        let search = FaceSearch(templates: options.smoke ? 1000 : templates, own: alone.embedding)
        let contestants: [Rounds.Contestant] = [
            ("a login", { try await alone.look(.init([.embedding, .liveness]), repeats) }),
            ("with age, gender, expression", { try await alone.look(.all, repeats) }),
            ("box, mesh, light alone", { try await alone.look([], repeats) }),
            ("decoding alone", { try alone.decode(repeats) }),
            ("search", { try search.search(repeats) }), ("reading the templates", { search.read(repeats) }),
        ]
        for contestant in contestants { _ = try await contestant.measure() }
        let figures = try await Rounds(options.smoke ? 1 : options.rounds).run(contestants, progress: options.note)
        let notes = [
            "processor time: decode, find, mesh, light, embedding, passive score", "everything",
            "a frame of a challenge",
            "\(alone.pixels) pixels, JPEG", "\(search.count) templates", "the yardstick",
        ]
        var rows = zip(zip(contestants, figures), notes).map { pair, note in
            BenchmarkResult.Row(pair.0.name, pair.1, unit: "ms", note: note)
        }
        for (name, bytes, note) in crowd {
            rows.append(.init(name, Figures([Double(bytes) / 1_048_576]), unit: "MiB", note: note))
        }
        try options.report(
            BenchmarkResult(
                "face", ratioOf: "searching / reading the templates once", ratio: figures[4].ratio(to: figures[5]),
                rows: rows))
    }
}
