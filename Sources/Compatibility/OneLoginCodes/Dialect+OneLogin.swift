package import BenjiProtocol

extension Dialect {
    /// What OneLogin's SDK says in a prefetch. `BenjiPolicy` has the lifetimes of this name.
    package static let onelogin = Dialect(rawValue: "onelogin")
}
