import Foundation

/// How far copying is, on standard error, when that is a terminal and the copy takes longer than a moment.
final class CopyProgress {
    private static let pause: Duration = .milliseconds(500)

    private let isShown: Bool
    private let verb: String
    private var next = ContinuousClock.now + pause
    private var wasShown = false

    init(_ verb: String = "copied", isShown: Bool = isatty(STDERR_FILENO) == 1) {
        self.verb = verb
        self.isShown = isShown
    }

    func report(_ share: Double) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + Self.pause
        wasShown = true
        FileHandle.standardError.write(Data("\r\(Int(share * 100)) % \(verb)".utf8))
    }

    /// Takes the line away.
    func end() {
        guard wasShown else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K".utf8))
    }
}
