import BenjiProtocol
import Catalogue
import Endpoints
import Sandbox

/// A text of the sandbox's page in both of its languages.
struct SandboxText: Sendable {
    var zh: String
    var en: String

    init(_ zh: String, _ en: String) {
        self.zh = zh
        self.en = en
    }

    subscript(_ language: SandboxLanguage) -> String { language == .zh ? zh : en }
}

enum SandboxLanguage: String, Sendable, CaseIterable {
    case zh, en

    /// What `Accept-Language` likes best, of the two.
    init(accepted header: String) {
        let tags = AcceptLanguage.tags(header).map { $0.lowercased() }
        let known = tags.first { $0.hasPrefix("zh") || $0.hasPrefix("en") }
        self = known?.hasPrefix("zh") == true ? .zh : .en
    }
}

extension CatalogueEntry {
    subscript(_ language: SandboxLanguage) -> Explanation { language == .zh ? zh : en }
}

/// The page's own words, by their names in the templates.
enum SandboxWords {
    /// All of them in one language, for a template.
    static func all(_ language: SandboxLanguage) -> [String: String] { language == .zh ? chinese : english }

    private static let chinese = page.mapValues(\.zh)
    private static let english = page.mapValues(\.en)

    static let page: [String: SandboxText] = [
        "title": SandboxText("本机 Benji 沙箱", "Benji sandbox"),
        "lead": SandboxText(
            "没有 SIM 卡也能看一键登录：虚拟手机、真实的网关和认证服务，每一条消息都看得见。",
            "One-tap login without a SIM: virtual phones, the real gateway and authority, every message in view."),
        "skip": SandboxText("跳到消息", "Skip to the messages"),
        "language": SandboxText("语言", "Language"),
        "phones": SandboxText("手机", "Phones"),
        "add": SandboxText("添加手机", "Add a phone"),
        "remove": SandboxText("移除这台手机", "Remove this phone"),
        "number": SandboxText("号码", "Number"),
        "address": SandboxText("出口地址", "Leaves by"),
        "noWay": SandboxText("无网络", "no way out"),
        "openShop": SandboxText("在这台手机上打开示例商店", "Open the example shop on this phone"),
        "openShopNote": SandboxText(
            "新窗口里的流量从这台手机的地址发出。", "What the new window sends leaves by this phone's address."),
        "appLogin": SandboxText("用商店的 App 登录", "Log in with the shop's app"),
        "appLoginNote": SandboxText(
            "真实的 SDK，走移动数据。", "The real SDK, over mobile data."),
        "sim": SandboxText("SIM 卡", "SIM"),
        "dataSlot": SandboxText("上网卡", "Data from"),
        "slot1": SandboxText("卡一 · 中国移动", "Slot 1 · China Mobile"),
        "slot2": SandboxText("卡二 · 中国联通", "Slot 2 · China Unicom"),
        "network": SandboxText("网络", "Network"),
        "apply": SandboxText("应用", "Apply"),
        "fault": SandboxText("故障", "Fault"),
        "faultNow": SandboxText("正在生效", "In force"),
        "noFault": SandboxText("没有故障。", "None."),
        "step": SandboxText("哪一步", "Step"),
        "kind": SandboxText("发生什么", "What happens"),
        "code": SandboxText("结果码", "Result code"),
        "milliseconds": SandboxText("毫秒", "Milliseconds"),
        "times": SandboxText("次数", "How often"),
        "always": SandboxText("直到取消", "Until taken away"),
        "once": SandboxText("一次", "Once"),
        "thrice": SandboxText("三次", "Three times"),
        "putIn": SandboxText("加入故障", "Put it in"),
        "takeAway": SandboxText("取消故障", "Take it away"),
        "elsewhere": SandboxText("用别的浏览器或脚本", "Another browser, or a script"),
        "elsewhereNote": SandboxText(
            "这台手机的调制解调器是一个 HTTP 代理，只通向本沙箱：", "This phone's modem is an HTTP proxy that leads to this sandbox only:"),
        "script": SandboxText("命令行：", "On the command line:"),
        "own": SandboxText("接入自己的应用", "Connect your own app"),
        "ownNote": SandboxText(
            "沙箱已为您登记一个应用。服务器在本机运行即可，密钥只对这个沙箱有效。",
            "The sandbox has registered an app for you. Your server runs on this machine; the keys are good for this sandbox only."
        ),
        "appID": SandboxText("应用编号", "App id"),
        "appKey": SandboxText("应用密钥（给 SDK）", "App key, for the SDK"),
        "serverSecret": SandboxText("服务器密钥（兑换令牌）", "Server secret, to redeem tokens"),
        "clientSecret": SandboxText("OpenID 客户端密钥", "OpenID client secret"),
        "bundleID": SandboxText("Bundle ID（包名）", "Bundle id"),
        "issuer": SandboxText("OpenID 签发方", "OpenID issuer"),
        "redeemAt": SandboxText("兑换令牌的地址", "Redeem tokens at"),
        "gateway": SandboxText("SDK 的网关地址", "Gateway, for the SDK"),
        "redirectURIs": SandboxText("回调地址，每行一个", "Redirect URIs, one a line"),
        "hosts": SandboxText("手机还能访问的主机，每行一个", "Other hosts that phones may reach, one a line"),
        "hostsNote": SandboxText(
            "回调地址里的本机主机不必再写。只能是本机：localhost 或 127.0.0.1，加端口。",
            "The hosts of redirect URIs are let through already. Of this machine only: localhost or 127.0.0.1, and a port."
        ),
        "save": SandboxText("保存", "Save"),
        "windows": SandboxText("在这台手机上打开您的网页：", "Open your own pages on this phone:"),
        "snippetOpenID": SandboxText("网页登录（OpenID Connect）", "Web login (OpenID Connect)"),
        "snippetCurl": SandboxText("兑换令牌：curl", "Redeem a token: curl"),
        "snippetPython": SandboxText("兑换令牌：Python", "Redeem a token: Python"),
        "copy": SandboxText("复制", "Copy"),
        "copied": SandboxText("已复制", "Copied"),
        "timeline": SandboxText("消息", "Messages"),
        "clear": SandboxText("清空", "Clear"),
        "quiet": SandboxText(
            "还没有消息。打开商店，或用 App 登录。", "Nothing yet. Open the shop, or log in with the app."),
        "why": SandboxText("原因与处理", "Why, and what to do"),
        "details": SandboxText("细节", "Details"),
        "toMessages": SandboxText("看消息", "See the messages"),
        "cause": SandboxText("原因", "Cause"),
        "remedy": SandboxText("处理", "What to do"),
        "detail": SandboxText("细节", "Detail"),
        "trace": SandboxText("流水号", "Trace"),
        "to": SandboxText("到", "to"),
        "live": SandboxText("实时", "live"),
        "broken": SandboxText("连接断了，正在重试", "connection lost, trying again"),
        "foot": SandboxText(
            "页面上的号码都是编造的，只显示掩码。时间线里没有号码，也没有凭证。",
            "All numbers are made up, and only masks are shown. The messages hold no number and no credential."),
    ]

    /// The name, and what to know; nothing where the number says enough.
    static func name(_ tray: SIMTray) -> (SandboxText, SandboxText) {
        switch tray {
        case .mobile: (SandboxText("中国移动", "China Mobile"), SandboxText("", ""))
        case .unicom: (SandboxText("中国联通", "China Unicom"), SandboxText("", ""))
        case .telecom: (SandboxText("中国电信", "China Telecom"), SandboxText("", ""))
        case .dual: (SandboxText("双卡", "Dual SIM"), SandboxText("移动和联通，一张上网", "two cards, one carries data"))
        case .unsupported:
            (
                SandboxText("未接入的运营商", "Unsupported carrier"),
                SandboxText("它的核心网不向本网关报告", "its core tells this gateway nothing")
            )
        case .iot:
            (SandboxText("物联网卡", "IoT card"), SandboxText("13 位号码，不能登录", "a thing's number, cannot log in"))
        }
    }

    static func name(_ network: PhoneNetwork) -> (SandboxText, SandboxText) {
        switch network {
        case .cellular: (SandboxText("移动数据", "Mobile data"), SandboxText("网关认得这个地址", "the gateway knows the address"))
        case .wifi: (SandboxText("仅 Wi-Fi", "Wi-Fi only"), SandboxText("移动数据关闭", "mobile data is off"))
        case .both:
            (
                SandboxText("Wi-Fi + 移动数据", "Wi-Fi and mobile data"),
                SandboxText("浏览器走 Wi-Fi，SDK 走移动数据", "browsers take Wi-Fi, the SDK mobile data")
            )
        case .vpn: (SandboxText("VPN", "VPN"), SandboxText("从隧道另一端发出", "leaves at the tunnel's other end"))
        case .roaming:
            (SandboxText("国际漫游", "Roaming"), SandboxText("从拜访地网络发出", "leaves in the visited network"))
        case .weak:
            (SandboxText("弱网", "Weak"), SandboxText("慢 0.7 秒，约七分之一丢失", "0.7 s late, one in seven lost"))
        }
    }

    static func name(_ step: SandboxStep) -> SandboxText {
        switch step {
        case .connection: SandboxText("手机的所有流量", "everything from the phone")
        case .attach: SandboxText("核心网报告会话（RADIUS）", "the core reports the session (RADIUS)")
        case .page: SandboxText("网页：打开登录页", "web: the login page opens")
        case .tap: SandboxText("网页：勾选并点登录", "web: tick and tap")
        case .code: SandboxText("网页：商店服务器换授权码", "web: the shop's server exchanges the code")
        case .number: SandboxText("网页：商店服务器取号码", "web: the shop's server asks for the number")
        case .prefetch: SandboxText("App：预取号", "app: prefetch")
        case .authorize: SandboxText("App：取令牌", "app: authorize")
        case .redeem: SandboxText("App：商店服务器兑换令牌", "app: the shop's server redeems the token")
        }
    }

    static func name(_ kind: SandboxFault.KindName) -> SandboxText {
        switch kind {
        case .code: SandboxText("返回结果码", "Answer with a code")
        case .delay: SandboxText("延迟", "Delay")
        case .drop: SandboxText("丢失", "Lose it")
        }
    }

    static func name(_ party: TimelineEntry.Party) -> SandboxText {
        switch party {
        case .phone: SandboxText("手机", "Phone")
        case .modem: SandboxText("调制解调器", "Modem")
        case .sandbox: SandboxText("沙箱", "Sandbox")
        case .packetCore: SandboxText("核心网", "Packet core")
        case .gateway: SandboxText("网关", "Gateway")
        case .authority: SandboxText("认证服务", "Authority")
        case .shop: SandboxText("应用服务器", "App's server")
        }
    }

    /// What OAuth's codes mean: the catalogue has the dialects that documents print, and OAuth's are its own.
    static let oauth: [String: SandboxText] = [
        "invalid_request": SandboxText("请求有误", "the request is wrong"),
        "invalid_client": SandboxText("应用的服务器没有通过认证", "the app's server was not recognised"),
        "invalid_grant": SandboxText("授权码不能用：过期、用过或被撤销", "the code cannot be used: expired, used or revoked"),
        "invalid_token": SandboxText("访问令牌不能用：过期、用过或被撤销", "the access token cannot be used: expired, used or revoked"),
        "unauthorized_client": SandboxText("应用不允许这样做", "the app may not do this"),
        "server_error": SandboxText("服务端出错", "something is wrong on the server"),
        "temporarily_unavailable": SandboxText("服务暂时不可用", "the service is not available just now"),
        "access_denied": SandboxText("用户没有同意", "the person did not agree"),
    ]
}
