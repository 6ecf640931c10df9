/// A vendor's SDK, as a test names the one that it plays a network for.
///
/// Each facade's module has its own.
public struct OneTapSDK: Sendable {
    /// The facades that belong to it.
    package let facades: [Facade]

    package init(_ facades: [Facade]) { self.facades = facades }
}
