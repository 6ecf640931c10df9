import BenjiProtocol

/// The data that an engine keeps between two calls, in memory only: a scrip on disk could be copied.
struct LoginMemory: Sendable {
    /// A prefetch that was answered, and the scrip of its latest generation.
    struct Prefetched: Sendable, CustomStringConvertible, CustomReflectable {
        var offer: PageOffer
        var scrip: String
        var nonce: String
        var assurance: Assurance
        /// The engine's uptime at which the scrip ends, counted from when it was asked for.
        var expiresAt: Duration

        var description: String { "Prefetched(trace: \(offer.trace))" }
        var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

        func isValid(at uptime: Duration, margin: Duration = .zero) -> Bool { uptime + margin < expiresAt }

        func summary(at uptime: Duration, margin: Duration, fromMemory: Bool) -> PrefetchSummary {
            PrefetchSummary(
                maskedNumber: offer.maskedNumber, carrier: offer.carrier, page: offer.page, assurance: assurance,
                trace: offer.trace, validFor: max(expiresAt - margin - uptime, .zero), fromMemory: fromMemory)
        }
    }

    var prefetched: Prefetched?
    /// The offset to add to the phone's clock to get the server's.
    var clockOffset: Duration = .zero
    /// Whether the app's workflow also logs in by a code by SMS; `nil` until a server has said it.
    var offersSMSLogin: Bool?
    /// The login that was last spoken of.
    var trace: TraceID?
}
