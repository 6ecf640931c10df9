package import BenjiProtocol

extension Dialect {
    /// The dialect of OneLogin's SDK in a prefetch. `BenjiPolicy` has the lifetimes of this name.
    package static let onelogin = Dialect(rawValue: "onelogin")
}
