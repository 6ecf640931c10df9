import BenjiPolicy
package import BenjiProtocol

/// One table of result codes as a document prints it. The same code may mean different things in two tables of one
/// dialect, and in two versions of one table.
package enum CodeTable: String, Sendable, Codable, CaseIterable, Hashable {
    /// Benji's own codes: words, not numbers.
    case device
    /// TYRZSDK's document §6.1: what the TYRZSDK returns to the app.
    case cmSDK = "cm_sdk"
    /// TYRZSDK's document §6.2: loginTokenValidate.
    case cmPhone = "cm_phone"
    /// TYRZSDK's document §6.3: tokenValidate of the number verification.
    case cmVerify = "cm_verify"
    /// TYRZLogin's document §4.1: the platform.
    case tyrzPlatform = "tyrz_platform"
    /// TYRZLogin's document §4.2: what TYRZLogin returns to the app.
    case tyrzSDK = "tyrz_sdk"
    /// TYRZLogin's document, appendix 1: kinds of authentication.
    case tyrzAuthType = "tyrz_authtype"
    /// China Mobile's SDK as it was years after TYRZSDK's document.
    case cmSDKLater = "cm_sdk_5_9"
    /// GeYan's document: `code`.
    case geyan
    /// GeYan's document: `errorCode` when GeYan itself, and not a carrier, failed.
    case geyanBusiness = "geyan_biz"
    /// GeYan's document: China Mobile's code in `metadata`.
    case geyanMobile = "geyan_cm"
    /// GeYan's document: China Telecom's code in `metadata`.
    case geyanTelecom = "geyan_ct"
    /// GeYan's document: China Unicom's code in `metadata`.
    case geyanUnicom = "geyan_cu"
    /// GeYan since 3.0: `code`.
    case geyan3 = "geyan_3"
    /// GeYan since 3.0: `errorCode`.
    case geyan3Business = "geyan_3_biz"
    /// GeYan's server call that turns a token into a number.
    case geyanServer = "geyan_gy_get_pn"
    /// OneLogin's document: `errorCode`.
    case oneLogin = "onelogin"
    /// OneLogin's document: Cocoa's network errors in `metaData`.
    case oneLoginCocoa = "onelogin_cocoa"
    /// OneLogin 2.4.1: `errorCode`, renumbered.
    case oneLogin2 = "onelogin_2"
    /// OneLogin's server call that turns a token into a number.
    case oneLoginServer = "onelogin_check_phone"
    /// OnePass, the number check that OneLogin 2.1 took in: its SDK.
    case onePass = "onepass"
    /// OnePass's server call that compares a number.
    case onePassServer = "onepass_check_gateway"
    /// SuperID's document: the error's code.
    case superID = "superid"
    /// CAMARA's interfaces: `code` of an error.
    case camara
    /// OpenID Connect: `error`. The codes do not stand for situations; a specification says when each is answered.
    case openID = "openid"

    package var dialect: Dialect {
        switch self {
        case .device: .device
        case .cmSDK, .cmPhone, .cmVerify, .tyrzPlatform, .tyrzSDK, .tyrzAuthType, .cmSDKLater: .cmpassport
        case .geyan, .geyanBusiness, .geyanMobile, .geyanTelecom, .geyanUnicom, .geyan3, .geyan3Business,
            .geyanServer:
            .geyan
        case .oneLogin, .oneLoginCocoa, .oneLogin2, .oneLoginServer, .onePass, .onePassServer: .onelogin
        case .superID: .superid
        case .camara: .camara
        case .openID: .openid
        }
    }

    /// The document and section, or the vendor's release or page, that the table comes from.
    package var source: String {
        switch self {
        case .device: "docs/device-dialect.md"
        case .cmSDK: "TYRZSDK's document §6.1"
        case .cmPhone: "TYRZSDK's document §6.2"
        case .cmVerify: "TYRZSDK's document §6.3"
        case .tyrzPlatform: "TYRZLogin's document §4.1"
        case .tyrzSDK: "TYRZLogin's document §4.2"
        case .tyrzAuthType: "TYRZLogin's document, appendix 1"
        case .cmSDKLater: "China Mobile's SDK 5.8 and 5.9"
        case .geyan: "GeYan's document, the SDK's codes"
        case .geyanBusiness: "GeYan's document, the SDK's error codes"
        case .geyanMobile: "GeYan's document, China Mobile's codes"
        case .geyanTelecom: "GeYan's document, China Telecom's codes"
        case .geyanUnicom: "GeYan's document, China Unicom's codes"
        case .geyan3: "GeYan's SDK since 3.0, codes"
        case .geyan3Business: "GeYan's SDK since 3.0, error codes"
        case .geyanServer: "GeYan's server call gy_get_pn"
        case .oneLogin: "OneLogin's document, release 1.6.1"
        case .oneLoginCocoa: "OneLogin's document, Cocoa's codes"
        case .oneLogin2: "OneLogin 2.4.1"
        case .oneLoginServer: "OneLogin's server call check_phone"
        case .onePass: "OnePass's SDK in OneLogin 2.4.1"
        case .onePassServer: "OnePass's server call check_gateway"
        case .superID: "SuperID's document §9"
        case .openID: "OAuth 2.0 and OpenID Connect"
        case .camara: "CAMARA's number-verification 2.1, sim-swap 2.1 and one-time-password-sms 1.1"
        }
    }
}
