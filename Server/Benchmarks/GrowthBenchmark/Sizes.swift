/// The sizes of each series, and how much is done at each.
struct Sizes {
    var connections = [1, 8, 64, 512]
    var apps = [1, 100, 10_000, 100_000]
    /// Phones that log in at the same time.
    var phones = [1, 8, 64, 256]
    var accounted = [10_000, 100_000, 1_000_000]
    var tokens = [100_000, 1_000_000, 10_000_000]
    var sessions = [1_000_000, 10_000_000]
    /// Sessions that hold an IPv6 prefix beside their address.
    var dualStack = 1_000_000

    /// Lines of the ledger.
    var lines = [10_000, 1_000_000, 10_000_000]
    var appsWithBooks = Books.apps
    /// Looks at a page, and walks through all of them, in each round.
    var (looks, walks) = (20, 5)

    var redemptions = 2000
    var packets = 10_000
    var lookups = 500_000

    init(_ options: GrowthOptions) {
        apps.removeAll { $0 > options.apps }
        lines.removeAll { $0 > options.lines }
        if options.long {
            accounted += [10_000_000, 100_000_000]
            sessions += [100_000_000, 134_000_000]
        }
        if options.longStore { tokens.append(100_000_000) }
    }

    private init() {}

    static var tiny: Sizes {
        var sizes = Sizes()
        sizes.connections = [1, 8]
        sizes.apps = [1, 20]
        sizes.phones = [1, 4]
        sizes.accounted = [200, 1000]
        sizes.tokens = [500, 5000]
        sizes.sessions = [1000, 5000]
        sizes.lines = [400, 4000]
        sizes.appsWithBooks = 10
        (sizes.looks, sizes.walks) = (1, 1)
        sizes.dualStack = 1000
        (sizes.redemptions, sizes.packets, sizes.lookups) = (40, 200, 2000)
        return sizes
    }
}
