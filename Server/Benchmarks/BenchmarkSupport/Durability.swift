/// The fate of a contestant's answers when all its processes were killed in the middle of a load.
package struct Durability: Sendable {
    /// Requests that had their answer before the kill.
    package var answered: Int
    /// How many of them the contestant knew nothing of when it was started again.
    package var lost: Int
    /// Syncs a request. Without any, a power cut loses answers although a kill does not.
    package var syncs: Figures

    package init(answered: Int, lost: Int, syncs: Figures) {
        (self.answered, self.lost, self.syncs) = (answered, lost, syncs)
    }

    /// Why it is not durable; `nil` if it is.
    package var fault: String? {
        if lost > 0 { return "lost \(lost) of \(answered) answered at kill -9" }
        return syncs.highest == 0 ? "no syncs: a power cut loses answers" : nil
    }

    /// The remark next to a figure of it.
    package var note: String { fault ?? "\(answered) answered, none lost at kill -9" }
}
