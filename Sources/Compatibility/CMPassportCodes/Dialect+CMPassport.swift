package import BenjiProtocol

extension Dialect {
    /// What China Mobile's SDKs say in a prefetch. `BenjiPolicy` has the lifetimes of this name.
    package static let cmpassport = Dialect(rawValue: "cmpassport")
}
