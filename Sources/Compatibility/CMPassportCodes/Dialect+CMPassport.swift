package import BenjiProtocol

extension Dialect {
    /// The dialect of China Mobile's SDKs in a prefetch. `BenjiPolicy` has the lifetimes of this name.
    package static let cmpassport = Dialect(rawValue: "cmpassport")
}
