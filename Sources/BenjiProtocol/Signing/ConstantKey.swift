/// A key of Crypto's, held in something that is passed between threads.
///
/// `@unchecked Sendable`: the key is a constant value of a structure that has no way to change it. CryptoKit of the iOS
/// 16 SDK does not say that its keys are `Sendable`; swift-crypto does.
package struct ConstantKey<Key>: @unchecked Sendable {
    package let key: Key

    package init(_ key: Key) { self.key = key }
}
