package import OneTapShell
import Testing

/// Records which of an app's blocks were called, in order. A test that waits for one goes on when it is called.
@MainActor package final class CallLog {
    package private(set) var calls: [String] = []
    package private(set) var results: [ResultFields] = []
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

    package init() {}

    package func note(_ call: String) {
        calls.append(call)
        continuation.yield()
    }

    /// The block of a login or a prefetch, logged as `result`.
    package func note(_ dictionary: [AnyHashable: Any]?) {
        let fields = dictionary.flatMap { ResultFields($0) }
        #expect(fields != nil, "a dictionary holds texts, numbers and dictionaries only")
        results.append(fields ?? [:])
        note("result")
    }

    /// Returns once `call` has been noted `count` times, or the test's time is over.
    package func wait(for call: String, count: Int = 1) async {
        var calls = stream.makeAsyncIterator()
        while self.calls.count(where: { $0 == call }) < count, await calls.next() != nil {}
    }
}
