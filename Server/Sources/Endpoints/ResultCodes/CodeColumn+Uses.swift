package import BenjiProtocol
import Catalogue

extension CodeColumn {
    /// One situation that ends in a code, and when.
    package struct Use: Hashable, Sendable {
        package var situation: Situation
        /// The carriers behind the phone for which it does; `nil` among them stands for a carrier not known yet. Empty
        /// when the carrier makes no difference.
        package var carriers: [Carrier?]
        /// The steps in which it does; `nil` among them stands for none begun. Empty when the step makes no difference.
        package var steps: [Step?]
        /// Why the code stands in when the column has none of its own for the situation.
        package var note: String?
    }

    /// All that ends in `code`, in the order of the situations. Empty when nothing does: the catalogue then says
    /// which situation of the vendor's the code belonged to.
    package func uses(of code: String) -> [Use] {
        Situation.all.compactMap { situation in
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
    package func situations(for code: String) -> [Situation] { Situation.all.filter { answers($0, with: code) } }

    /// Whether a situation ends in `code`, for some carrier and some step.
    package func answers(_ situation: Situation, with code: String) -> Bool {
        Circumstances.all.contains { self.code(for: situation, carrier: $0.carrier, step: $0.step)?.code == code }
    }

    /// The circumstances that a code may depend on, besides the situation.
    package struct Circumstances: Hashable, Sendable {
        package var carrier: Carrier?
        package var step: Step?

        package static let all: [Circumstances] = ([nil] + Carrier.documented.map(Optional.some)).flatMap { carrier in
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
