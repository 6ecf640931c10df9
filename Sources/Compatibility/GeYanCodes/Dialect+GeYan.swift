package import BenjiProtocol

extension Dialect {
    /// The dialect of GeYan's SDK in a prefetch. `BenjiPolicy` has the lifetimes of this name.
    package static let geyan = Dialect(rawValue: "geyan")
}
