import ArgumentParser
import BenchmarkSupport

/// The cost of showing a page.
@main
struct PageBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "PageBenchmark",
        abstract: "Time to lay a page out and to hold it against the rules.",
        discussion: """
            A full screen, a popup and a bottom sheet, for three carriers, on four screens, in three languages, light \
            and dark: each is
            laid out, with everything validated as in an app, and judged. One thread on one core; a figure is the mean \
            over all pages.
            The parts, reading a description, canonical bytes for the digest and HTML, are measured alone too.

            The yardstick is Foundation's JSONSerialization reading the same descriptions with all their fields. Every \
            scene must be the
            one that was laid out first, good pages must have no finding, and a page whose number is too small must \
            have that one.
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "How often a measurement takes all pages.") var repeats = 10
    @Option(help: "The core.") var core = 0

    func validate() throws {
        guard repeats > 0 else { throw ValidationError("--repeats: at least 1") }
    }

    func run() async throws {
        try Cores.pin(to: core)
        let gallery = try Gallery(repeats: options.smoke ? 1 : repeats)
        let contestants: [Rounds.Contestant] = [
            ("a page laid out and judged", gallery.layOutAndJudge), ("layout with validation", gallery.layOut),
            ("judging", gallery.judge), ("reading a description", gallery.read),
            ("canonical bytes of a scene", gallery.writeScenes), ("HTML of a scene", gallery.draw),
            ("JSONSerialization, the same descriptions", gallery.readWithFoundation),
        ]
        // Everything once, so that no contestant pays for memory that the others find ready.
        for contestant in contestants { _ = try await contestant.measure() }
        let figures = try await Rounds(options.smoke ? 1 : options.rounds).run(contestants, progress: options.note)
        let notes = ["", "part of it", "part of it", "without defaults", "for the scene digest", "", "the yardstick"]
        let rows = zip(zip(contestants, figures), notes).map { pair, note in
            BenchmarkResult.Row(pair.0.name, pair.1, unit: "µs", note: note)
        }
        try options.report(
            BenchmarkResult(
                "page", ratioOf: "a page laid out and judged / its description read by JSONSerialization",
                ratio: figures[0].ratio(to: figures[figures.count - 1]), rows: rows))
    }
}
