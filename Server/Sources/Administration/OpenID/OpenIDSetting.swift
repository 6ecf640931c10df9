package import Authority
package import BenjiProtocol

/// The settings of an app's OpenID client, with help texts: see ``AppSetting``.
package enum OpenIDSetting: String, Hashable, Sendable, CaseIterable {
    case redirectURIs, color, logo, keySet, rs256, digits, pushedOnly, purposes, frameAncestors, stableSubject
    case authentication, pkce, boundTokens, profile, rememberConsent, backchannel
    case backchannelNotification
    case certificateSubject, certificateDNS, certificateURI, certificateIP, certificateBoundTokens

    /// A sentence.
    package var help: LocalizedText {
        switch self {
        case .redirectURIs:
            LocalizedText("应答可以发往的地址，逐字符比较。", "Where an answer may go, compared character by character.")
        case .color:
            LocalizedText(
                "应用的颜色，用于按钮、链接和登录页旁的页面；它写进页面描述，看不清的深浅会被调整。",
                "The app's colour, for button, links and the pages beside the login page. It becomes part of the "
                    + "description; shades that could not be read are made darker or lighter."
            )
        case .logo:
            LocalizedText(
                "应用的标志，PNG、JPEG 或 WebP，代替描述里的那一个。",
                "The app's logo, a PNG, JPEG or WebP picture, in the place of the one that the description names.")
        case .keySet:
            LocalizedText(
                "应用公钥的 JWK 集。新客户端的服务器从此签名：private_key_jwt、请求对象。",
                "A JWK set of the app's public keys. A new client's server then signs: private_key_jwt, request "
                    + "objects."
            )
        case .rs256:
            LocalizedText(
                "用 RS256 签名 ID 令牌，给不支持椭圆曲线的 OpenID 客户端。",
                "Sign ID tokens with RS256, for OpenID clients without elliptic-curve support.")
        case .digits:
            LocalizedText("让人输入页面隐去的几位号码。", "Let the person type the digits of the number that the page hides.")
        case .pushedOnly:
            LocalizedText(
                "只接受推送过的授权请求（RFC 9126）。", "Accept only authorization requests that were pushed (RFC 9126).")
        case .purposes:
            LocalizedText(
                "让应用为这一目的调用 CAMARA 接口；需要 JWK 集。",
                "Let the app call CAMARA's interfaces for this purpose; needs a JWK set.")
        case .frameAncestors:
            LocalizedText(
                "让这一来源的网页把登录页放进框架。", "Let pages of this origin show the login page in a frame.")
        case .stableSubject:
            LocalizedText(
                "没有页面时也告诉应用谁回来了，用于 CAMARA 的范围。",
                "Tell the app who comes back also where no page is shown, for CAMARA's scopes. Without it each answer "
                    + "has a sub of its own."
            )
        case .authentication:
            LocalizedText(
                "应用的服务器如何证明自己：签名 private_key_jwt；用密钥 client_secret_basic、client_secret_post、client_secret_jwt；或出示证书 "
                    + "tls_client_auth、self_signed_tls_client_auth。",
                "How the app's server proves who it is: it signs (private_key_jwt), has a secret (client_secret_basic, "
                    + "client_secret_post, client_secret_jwt; to or from the last it gets a new one), or shows a "
                    + "certificate (tls_client_auth, self_signed_tls_client_auth)."
            )
        case .pkce:
            LocalizedText(
                "要求 PKCE（RFC 7636）；只有不支持它的客户端才关闭。",
                "Demand PKCE (RFC 7636). Switch it off only for clients that do not support it.")
        case .boundTokens:
            LocalizedText(
                "只发放绑定到应用密钥的访问令牌（DPoP，RFC 9449）。",
                "Give out only access tokens that are bound to a key of the app's (DPoP, RFC 9449).")
        case .certificateSubject:
            LocalizedText(
                "tls_client_auth 证书的主题，按 RFC 4514 书写：CN=client,O=Example,C=CN。",
                "For tls_client_auth: the certificate's subject, as RFC 4514 writes it, CN=client,O=Example,C=CN.")
        case .certificateDNS:
            LocalizedText(
                "tls_client_auth 证书里的 DNS 名称。", "For tls_client_auth: a DNS name that the certificate has.")
        case .certificateURI:
            LocalizedText("tls_client_auth 证书里的 URI。", "For tls_client_auth: a URI that the certificate has.")
        case .certificateIP:
            LocalizedText(
                "tls_client_auth 证书里的 IP 地址。", "For tls_client_auth: an IP address that the certificate has.")
        case .certificateBoundTokens:
            LocalizedText(
                "只发放绑定到客户端证书的访问令牌（RFC 8705）。",
                "Give out only access tokens that are bound to the client's certificate (RFC 8705).")
        case .rememberConsent:
            LocalizedText(
                "在登录页上多给一个方框，让人在该浏览器记住同意 30 天：期间不再显示页面。收回时，已记住的全部失效。",
                "Give the login page a box that has the consent remembered in that browser for 30 days: logins then "
                    + "show no page. Taken back, all that is remembered ends."
            )
        case .backchannel:
            LocalizedText(
                "让应用的服务器请人在手机上确认（CIBA）：poll 由它来问，ping 另外通知它，none 收回。",
                "Let the app's server ask people on their phones (CIBA): it asks whether they have decided (poll), or "
                    + "is told besides (ping). none takes it back."
            )
        case .backchannelNotification:
            LocalizedText(
                "ping 时通知应用的地址，以 https:// 开头；规则同回调地址。",
                "Where an app with ping is told; begins with https://, under the rules of callbacks.")
        case .profile:
            LocalizedText(
                "客户端遵守的规则：openid，或更严格的 fapi2（只接受推送的请求、DPoP 或证书绑定、ES256 或 PS256）。",
                "The rules that the client keeps to: openid, or the stricter fapi2 (pushed requests, tokens bound by "
                    + "DPoP or a certificate, ES256 or PS256 alone)."
            )
        }
    }
}
