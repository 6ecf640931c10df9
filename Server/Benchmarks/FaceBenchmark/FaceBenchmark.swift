import ArgumentParser
import BenchmarkSupport
import FaceMatching
import Foundation

/// The cost of a face: examined, searched for, and when many come at once.
@main
struct FaceBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FaceBenchmark",
        abstract: "Time and memory of face matching.",
        discussion: """
            A portrait is decoded, its face found, measured and compared, on one core: everything that a login asks \
            for, then the parts that
            can be left out. A whole login follows, with its challenge and every frame of it judged, before a portrait \
            that a program
            bends; its yardstick is measuring everything in each of these frames and deciding nothing. A face is \
            searched for among many
            by comparing it with each, and in a group as the server does it, which reads every template from the store \
            and opens it; the
            yardstick of that is opening as many that are in memory. Then many logins come at once to a pool of two \
            engines, with the
            portrait and with the largest image that is taken, and the growth of the process's memory is measured.

            The yardstick of the ratio is reading each template of the search once, without calculating. The face must \
            match itself and
            nobody else, the searches must find the one that is there, every login must succeed, and memory must stay \
            below a bound. So
            must a whole login and a search in a group, each in yardsticks of its own. It needs the models and a \
            portrait:
            make face-models ARGS=--portraits
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "The folder of models and portraits (default: what BENJI_FACE names, or .face).") var face: String?
    @Option(help: "How often a measurement looks at the portrait.") var repeats = 20
    @Option(help: "Templates to search.") var templates = 100_000
    @Option(help: "People of the group.") var people = 10_000
    @Option(help: "Logins at once.") var crowd = 64
    @Option(help: "The core.") var core = 0

    /// Bytes by which a crowd may enlarge a process that has its two engines.
    private static let bound = 512 << 20
    /// The limit of a whole login, in times measuring its frames: all work but measuring is next to nothing.
    private static let loginBound = 1.2
    /// The limit of a search among all templates, in times reading each of them once.
    private static let searchBound = 4.0
    /// The limit of a search in a group, in times opening its templates, and the bytes that it may add to the process.
    private static let groupBound = 10.0
    private static let groupMemory = 64 << 20

    func validate() throws {
        guard repeats > 0, templates > 0, crowd > 0, people > 0 else {
            throw ValidationError("--repeats, --templates, --people and --crowd: at least 1")
        }
    }

    func run() async throws {
        let folder = face ?? FaceFolder.folder()
        let street = try await FaceServer(folder)
        let crowd = try await street.crowd(options.smoke ? 8 : crowd, bound: Self.bound)
        let scratch = try Scratch("faces")
        let town = try await FaceWorkload(scratch)
        let group = try await FaceGroup(town, street, people: options.smoke ? 20 : people)

        try Cores.pin(to: core)
        let repeats = options.smoke ? 1 : repeats
        let alone = try await FaceServer(folder)
        let login = try await RehearsedLogin(town, alone)
        let search = FaceSearch(templates: options.smoke ? 1000 : templates, own: alone.embedding)
        let contestants: [Rounds.Contestant] = [
            ("a login", { try await alone.look(.init([.embedding, .liveness]), repeats) }),
            ("with age, gender, expression", { try await alone.look(.all, repeats) }),
            ("box, mesh, light alone", { try await alone.look([], repeats) }),
            ("decoding alone", { try alone.decode(repeats) }),
            ("search", { try search.search(repeats) }), ("reading the templates", { search.read(repeats) }),
            ("a login with its challenge", login.measure), ("everything in each of its frames", login.look),
            ("search in a group", group.search), ("opening its templates", group.open),
        ]
        for contestant in contestants { _ = try await contestant.measure() }
        let grown = try await group.growth()
        let figures = try await Rounds(options.smoke ? 1 : options.rounds).run(contestants, progress: options.note)
        await town.end()
        let loginRatio = figures[6].ratio(to: figures[7])
        let groupRatio = figures[8].ratio(to: figures[9])
        try Self.check("a login with its challenge", loginRatio.median, below: Self.loginBound)
        let searchRatio = figures[4].ratio(to: figures[5])
        // A thousand templates lie in a cache, and twenty people are no group to measure by.
        if !options.smoke {
            try Self.check("search", searchRatio.median, below: Self.searchBound)
            try Self.check("search in a group", groupRatio.median, below: Self.groupBound)
        }
        try Self.check("memory for a search in a group", Double(grown), below: Double(Self.groupMemory))
        let notes = [
            "processor time: decode, find, mesh, light, embedding, passive score", "everything",
            "a frame of a challenge",
            "\(alone.pixels) pixels, JPEG", "\(search.count) templates", "the yardstick",
            "processor time: \(login.count) frames of 480 × 360, and every request around them", "the yardstick",
            "processor time: \(group.count) people, from the store", "the yardstick",
        ]
        var rows = zip(zip(contestants, figures), notes).map { pair, note in
            BenchmarkResult.Row(pair.0.name, pair.1, unit: "ms", note: note)
        }
        rows.append(.init("a login with its challenge / everything in its frames", loginRatio, unit: "×"))
        rows.append(.init("search in a group / opening its templates", groupRatio, unit: "×"))
        rows.append(
            .init(
                "search in a group, memory", Figures([Double(max(grown, 0)) / 1_048_576]), unit: "MiB",
                note: "growth at the most; bound \(Self.groupMemory >> 20) MiB"))
        for (name, bytes, note) in crowd {
            rows.append(.init(name, Figures([Double(bytes) / 1_048_576]), unit: "MiB", note: note))
        }
        try options.report(
            BenchmarkResult(
                "face", ratioOf: "searching / reading the templates once", ratio: searchRatio,
                rows: rows))
    }

    private static func check(_ name: String, _ value: Double, below bound: Double) throws {
        guard value < bound else { throw BenchmarkFailure("\(name): \(value) is above the bound of \(bound)") }
    }
}
