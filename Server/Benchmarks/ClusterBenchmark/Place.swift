import BenchmarkSupport

/// Where processes run, and what they keep their files on.
struct Place {
    /// The core of all of them; `nil` for every core that there was before this program kept to one.
    var core: Int?
    /// How many cores there are.
    var cores: Int
    /// A folder on the disk whose durable writes count; `nil` for the system's for temporary files.
    var folder: String?

    /// The command that starts a process there.
    var acting: [String] { core == nil ? ["taskset", "-c", "0-\(cores - 1)"] : [] }

    /// The same, on every core.
    var everywhere: Place { Place(core: nil, cores: cores, folder: folder) }
}
