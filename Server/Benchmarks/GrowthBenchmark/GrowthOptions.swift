import ArgumentParser
import BenchmarkSupport

/// Where and how much is measured.
struct GrowthOptions: ParsableArguments {
    @Option(help: "What grows, separated by commas: redeem, login, accounting, store, directory, books (default: all).")
    var only: String?
    @Flag(
        help: """
            Ten and 100 million sessions for accounting, 100 and 134 million for look-ups: minutes more, and 20 GiB of \
            memory.
            """)
    var long = false
    @Option(help: "Lines of the ledger at most: 10 million take most of the time of books.") var lines = 10_000_000
    @Option(help: "Registered apps at most: making 100,000 takes most of the time of redeem and login.") var apps =
        100_000
    @Flag(help: "100 million tokens in the store: five minutes more, and 50 GiB of disk.") var longStore = false
    @Option(help: "The core of the server; the load comes from the next, where the rest runs too.") var core = 0
    @Option(help: "Folder on the disk whose durable writes count (default: the system's for temporary files).")
    var folder: String?
    @Option(help: "The benji program (default: the one beside this).") var benji: String?

    enum Part: String, CaseIterable { case redeem, login, accounting, store, directory, books }

    /// The parts that ``only`` names, in the order of all.
    var parts: [Part] {
        get throws {
            guard let only else { return Part.allCases }
            let named = try only.split(separator: ",").map { name in
                guard let part = Part(rawValue: String(name)) else {
                    throw ValidationError("--only: there is no \(name)")
                }
                return part
            }
            return Part.allCases.filter(named.contains)
        }
    }

    func validate() throws {
        _ = try parts
        guard apps > 0 else { throw ValidationError("--apps: at least 1") }
        guard lines >= 10_000 else { throw ValidationError("--lines: at least 10000") }
    }
}
