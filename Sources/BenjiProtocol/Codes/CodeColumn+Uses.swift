extension ResultCodes {
    /// One situation that ends in a code, and when.
    public struct Use: Hashable, Sendable {
        public var situation: Situation
        /// The carriers behind the phone for which it does; `nil` among them stands for a carrier not known yet. Empty
        /// when the carrier makes no difference.
        public var carriers: [Carrier?]
        /// The steps in which it does; `nil` among them stands for none begun. Empty when the step makes no difference.
        public var steps: [Step?]
        /// Why the code stands in when the table has none of its own for the situation.
        public var note: String?
    }

    /// All that ends in `code` of `table`, in the order of the situations. Empty when nothing does: the catalogue then says
    /// which situation of the vendor's the code belonged to.
    public static func uses(of code: String, in table: CodeTable) -> [Use] {
        Situation.allCases.compactMap { situation in
            let places = Circumstances.all.filter {
                Self.code(for: situation, in: table, carrier: $0.carrier, step: $0.step)?.code == code
            }
            guard let first = places.first else { return nil }
            let note = Self.code(for: situation, in: table, carrier: first.carrier, step: first.step)?.note
            return Use(
                situation: situation, carriers: narrowed(places.map(\.carrier), from: Carrier.documented.count + 1),
                steps: narrowed(places.map(\.step), from: Step.allCases.count + 1), note: note)
        }
    }

    /// The different values, in order; none when all that are possible occur.
    private static func narrowed<Value: Hashable>(_ values: [Value], from possible: Int) -> [Value] {
        var seen: Set<Value> = []
        let different = values.filter { seen.insert($0).inserted }
        return different.count == possible ? [] : different
    }
}
