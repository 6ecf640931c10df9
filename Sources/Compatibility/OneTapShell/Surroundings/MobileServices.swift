/// The system's report on the phone's SIMs, without a request for the carrier.
package struct MobileServices: Hashable, Sendable {
    /// The generation of a mobile network.
    package enum Generation: String, Hashable, Sendable {
        case second = "2G"
        case third = "3G"
        case fourth = "4G"
        case fifth = "5G"
    }

    /// SIMs that a mobile network serves now. One in a slot that is switched off or without a signal is not among them.
    package var count: Int
    /// Of the network that carries data; `nil` when there is none or its technology is a new one.
    package var generation: Generation?

    package init(count: Int, generation: Generation?) {
        self.count = count
        self.generation = generation
    }
}
