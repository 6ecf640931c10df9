// The module `Crypto` of apps that have Benji by CocoaPods. On Apple's systems swift-crypto is the system's CryptoKit
// under another name, and swift-crypto is no pod.
@_exported import CryptoKit
