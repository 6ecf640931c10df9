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
    package var source: LocalizedText {
        switch self {
        case .device:
            LocalizedText(
                "docs/server-api.md、docs/device-dialect.md", "docs/server-api.md, docs/device-dialect.md")
        case .cmSDK: LocalizedText("TYRZSDK 文档 §6.1", "TYRZSDK's document §6.1")
        case .cmPhone: LocalizedText("TYRZSDK 文档 §6.2", "TYRZSDK's document §6.2")
        case .cmVerify: LocalizedText("TYRZSDK 文档 §6.3", "TYRZSDK's document §6.3")
        case .tyrzPlatform: LocalizedText("TYRZLogin 文档 §4.1", "TYRZLogin's document §4.1")
        case .tyrzSDK: LocalizedText("TYRZLogin 文档 §4.2", "TYRZLogin's document §4.2")
        case .tyrzAuthType: LocalizedText("TYRZLogin 文档附录一", "TYRZLogin's document, appendix 1")
        case .cmSDKLater: LocalizedText("中国移动 SDK 5.8、5.9", "China Mobile's SDK 5.8 and 5.9")
        case .geyan: LocalizedText("个验文档，SDK 返回码", "GeYan's document, the SDK's codes")
        case .geyanBusiness: LocalizedText("个验文档，SDK 错误码", "GeYan's document, the SDK's error codes")
        case .geyanMobile: LocalizedText("个验文档，中国移动错误码", "GeYan's document, China Mobile's codes")
        case .geyanTelecom: LocalizedText("个验文档，中国电信错误码", "GeYan's document, China Telecom's codes")
        case .geyanUnicom: LocalizedText("个验文档，中国联通错误码", "GeYan's document, China Unicom's codes")
        case .geyan3: LocalizedText("个验 SDK 3.0 起，返回码", "GeYan's SDK since 3.0, codes")
        case .geyan3Business: LocalizedText("个验 SDK 3.0 起，错误码", "GeYan's SDK since 3.0, error codes")
        case .geyanServer: LocalizedText("个验服务端接口 gy_get_pn", "GeYan's server call gy_get_pn")
        case .oneLogin: LocalizedText("OneLogin 文档 1.6.1", "OneLogin's document, release 1.6.1")
        case .oneLoginCocoa: LocalizedText("OneLogin 文档，Cocoa 错误码", "OneLogin's document, Cocoa's codes")
        case .oneLogin2: LocalizedText("OneLogin 2.4.1", "OneLogin 2.4.1")
        case .oneLoginServer: LocalizedText("OneLogin 服务端接口 check_phone", "OneLogin's server call check_phone")
        case .onePass: LocalizedText("OneLogin 2.4.1 中的 OnePass SDK", "OnePass's SDK in OneLogin 2.4.1")
        case .onePassServer: LocalizedText("OnePass 服务端接口 check_gateway", "OnePass's server call check_gateway")
        case .superID: LocalizedText("一登文档 §9", "SuperID's document §9")
        case .openID: LocalizedText("OAuth 2.0 与 OpenID Connect", "OAuth 2.0 and OpenID Connect")
        case .camara:
            LocalizedText(
                "CAMARA number-verification 2.1、sim-swap 2.1、one-time-password-sms 1.1",
                "CAMARA's number-verification 2.1, sim-swap 2.1 and one-time-password-sms 1.1")
        }
    }
}
