/// A provider whose backchannel has the mistakes that are to be expected, one for each attack.
final class NaiveBackchannel {
    private var requests: [(number: String, message: String, isAgreed: Bool)] = []
    private var registered: Set<String>

    /// - Parameter registered: numbers that are subscribers'.
    init(registered: Set<String> = ["+8613800000001"]) { self.registered = registered }

    /// Returns the name of a request, a counter. Requests are not limited, and an unknown number gets `nil`.
    func ask(_ number: String, message: String = "") -> Int? {
        guard registered.contains(number) else { return nil }
        requests.append((number, message, false))
        return requests.count - 1
    }

    /// The message that is shown to a phone: of the newest request.
    func shown(to number: String) -> String? { requests.last { $0.number == number }?.message }

    /// A tap agrees to the newest request, whichever was shown, on whatever phone.
    func tap(shown _: String, at _: String) { requests[requests.count - 1].isAgreed = true }

    /// A tap that names its request, from whatever phone and site it comes.
    func tap(_ request: Int) { requests[request].isAgreed = true }

    /// Returns a token to any client that names an agreed request, as often as it is named.
    func poll(_ request: Int, client _: String) -> String? {
        requests.indices.contains(request) && requests[request].isAgreed ? "token-\(request)" : nil
    }

    /// Ends a number whose SIM is replaced, whose owner changes, or who takes their consent back. It gets no further
    /// request, but an agreement was for the number and stays.
    func end(_ number: String) { registered.remove(number) }

    var waiting: Int { requests.count }
}
