/// Which calls are under way, and whether another may join them: the rules of re-entry as a value.
///
/// A second call of a kind is refused while the first is under way. Every call is refused while a page is open, because
/// the person decides when that ends. Any other call waits for those before it, which end by themselves.
struct Admission: Hashable, Sendable {
    private var underWay: [Int: Call.Kind] = [:]
    private var next = 0

    /// A name for the call that may go on, or `nil` if it is refused.
    mutating func admit(_ kind: Call.Kind) -> Int? {
        let refused = underWay.values.contains { $0 == kind || $0 == .login }
        guard !refused else { return nil }
        next += 1
        underWay[next] = kind
        return next
    }

    mutating func end(_ call: Int) { underWay[call] = nil }

    func isUnderWay(_ kind: Call.Kind) -> Bool { underWay.values.contains(kind) }
}
