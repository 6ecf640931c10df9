extension CodeColumn {
    /// One situation that ends in a code, and when.
    public struct Use: Hashable, Sendable {
        public var situation: Situation
        /// The carriers behind the phone for which it does; `nil` among them stands for a carrier not known yet. Empty
        /// when the carrier makes no difference.
        public var carriers: [Carrier?]
        /// The steps in which it does; `nil` among them stands for none begun. Empty when the step makes no difference.
        public var steps: [Step?]
        /// Why the code stands in when the column has none of its own for the situation.
        public var note: String?
    }

    /// All that ends in `code`, in the order of the situations. Empty when nothing does: the catalogue then says
    /// which situation of the vendor's the code belonged to.
    public func uses(of code: String) -> [Use] {
        Situation.allCases.compactMap { situation in
            let places = Circumstances.all.filter {
                self.code(for: situation, carrier: $0.carrier, step: $0.step)?.code == code
            }
            guard let first = places.first else { return nil }
            let note = self.code(for: situation, carrier: first.carrier, step: first.step)?.note
            return Use(
                situation: situation,
                carriers: Self.narrowed(places.map(\.carrier), from: Carrier.documented.count + 1),
                steps: Self.narrowed(places.map(\.step), from: Step.allCases.count + 1), note: note)
        }
    }

    /// All situations that end in `code`. ``uses(of:)`` says when, too.
    public func situations(for code: String) -> [Situation] { uses(of: code).map(\.situation) }

    /// What a code may depend on besides the situation.
    public struct Circumstances: Hashable, Sendable {
        public var carrier: Carrier?
        public var step: Step?

        public static let all: [Circumstances] = ([nil] + Carrier.documented.map(Optional.some)).flatMap { carrier in
            ([nil] + Step.allCases.map(Optional.some)).map { Circumstances(carrier: carrier, step: $0) }
        }
    }

    /// The different values, in order; none when all that are possible occur.
    private static func narrowed<Value: Hashable>(_ values: [Value], from possible: Int) -> [Value] {
        var seen: Set<Value> = []
        let different = values.filter { seen.insert($0).inserted }
        return different.count == possible ? [] : different
    }
}
