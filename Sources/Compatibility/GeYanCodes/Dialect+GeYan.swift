package import BenjiProtocol

extension Dialect {
    /// What GeYan's SDK says in a prefetch. `BenjiPolicy` has the lifetimes of this name.
    package static let geyan = Dialect(rawValue: "geyan")
}
