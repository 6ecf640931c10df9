import Authority
import BenjiProtocol
import Catalogue
import Endpoints
import OpenIDProvider

/// Where in a login a fault can be put.
package enum SandboxStep: String, Sendable, CaseIterable {
    /// Everything that leaves the phone.
    case connection
    /// The packet core reports an address's holder to the gateway (RADIUS accounting).
    case attach
    /// A browser asks for the login page.
    case page
    /// The page's form comes back: the tap, and the typed digits.
    case tap
    /// The app's server exchanges the code.
    case code
    /// The app's server asks for the number.
    case number
    /// An app with the SDK asks who it is.
    case prefetch
    /// An app with the SDK asks for a token.
    case authorize
    /// The app's server redeems the token.
    case redeem

    /// Whether it can be answered with a result code. The others carry no answers.
    package var answers: Bool { self != .connection && self != .attach }

    /// Whether it is between an app's server and the authority, where no phone is.
    var isOfAppServer: Bool { self == .code || self == .number || self == .redeem }

    /// The step that a request is part of.
    package static func of(_ method: String, _ path: String) -> SandboxStep? {
        switch path {
        case OpenIDProvider.Path.authorize.rawValue: .page
        case OpenIDProvider.Path.login.rawValue: .tap
        case OpenIDProvider.Path.token.rawValue: .code
        case OpenIDProvider.Path.userInfo.rawValue: .number
        case DevicePath.prefetch.rawValue: .prefetch
        case DevicePath.authorize.rawValue: .authorize
        case ServerAPIEndpoints.Path.redeem.rawValue, ServerAPIEndpoints.Path.verify.rawValue: .redeem
        default: [.device, .openID].contains(Self.table(of: path)) ? nil : .redeem
        }
    }

    /// The table in which an address's codes stand.
    static func table(of path: String) -> CodeTable {
        switch path {
        case CMPassportEndpoints.Path.loginTokenValidate.rawValue: .cmPhone
        case CMPassportEndpoints.Path.numberVerification.rawValue: .cmVerify
        case OneLoginEndpoints.Path.checkPhone.rawValue: .oneLoginServer
        case OneLoginEndpoints.Path.checkGateway.rawValue: .onePassServer
        case GeYanEndpoints.Path.version1.rawValue, GeYanEndpoints.Path.version2.rawValue: .geyanServer
        default: OpenIDProvider.Path(rawValue: path) == nil ? .device : .openID
        }
    }
}
