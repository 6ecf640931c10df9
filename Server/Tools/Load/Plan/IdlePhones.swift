/// The phones that play no login now. The longest idle is next, so that logins spread evenly over all numbers.
struct IdlePhones {
    /// A ring: as many places as phones.
    private var places: [Int]
    private var first = 0
    private(set) var count: Int

    init(count: Int) {
        places = Array(0..<count)
        self.count = count
    }

    /// The phone that was idle longest; `nil` if none is.
    mutating func take() -> Int? {
        guard count > 0 else { return nil }
        let phone = places[first]
        first = (first + 1) % places.count
        count -= 1
        return phone
    }

    /// - Parameter phone: one that was taken.
    mutating func giveBack(_ phone: Int) {
        places[(first + count) % places.count] = phone
        count += 1
    }
}
