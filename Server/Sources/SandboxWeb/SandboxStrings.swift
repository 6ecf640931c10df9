import BenjiPage
import BenjiProtocol
import Sandbox

/// The page's own words, by their names in the templates.
enum SandboxStrings {
    /// All of them in one language, for a template.
    static func all(_ language: Language) -> [String: String] { language == .english ? english : chinese }

    private static let chinese = page.mapValues(\.simplifiedChinese)
    private static let english = page.mapValues(\.english)

    static let page: [String: LocalizedText] = [
        "title": LocalizedText("本机 Benji 沙箱", "Benji sandbox"),
        "lead": LocalizedText(
            "没有 SIM 卡也能体验一键登录：在手机上点登录，旁边会显示手机、网关、认证服务和商店之间的每一条消息。",
            "One-tap login without a SIM. Log in on the phone, and see every message between phone, gateway, authority "
                + "and shop."
        ),
        "skip": LocalizedText("跳到消息", "Skip to the messages"),
        "language": LocalizedText("语言", "Language"),
        "design": LocalizedText("设计登录页", "Design a login page"),
        "phones": LocalizedText("手机", "Phones"),
        "add": LocalizedText("添加手机", "Add a phone"),
        "remove": LocalizedText("移除这台手机", "Remove this phone"),
        "number": LocalizedText("号码", "Number"),
        "address": LocalizedText("出口地址", "Leaves by"),
        "noWay": LocalizedText("无网络", "no way out"),
        "openShop": LocalizedText("在这台手机上打开示例商店", "Open the example shop on this phone"),
        "openShopNote": LocalizedText(
            "新窗口里的流量从这台手机的地址发出。", "What the new window sends leaves by this phone's address."),
        "use": LocalizedText("别的登录方式", "Other ways to log in"),
        "atOnce": LocalizedText("不打开页面，直接用真实的 SDK 勾选并登录：", "Somebody ticks and taps at once, with the real SDK:"),
        "appLogin": LocalizedText("一键登录", "One tap"),
        "appCode": LocalizedText("短信验证码", "A code by SMS"),
        "screen": LocalizedText("手机屏幕：示例商店", "The phone's screen: the example shop"),
        "shop": LocalizedText("示例商店", "Example Shop"),
        "shopLead": LocalizedText("商店的 App。登录页是真实 SDK 画的。", "The shop's app. Its login page is the real SDK's."),
        "beginLogin": LocalizedText("登录", "Log in"),
        "beginCode": LocalizedText("用短信验证码登录", "Log in with a code by SMS"),
        "waiting": LocalizedText("正在登录…", "Logging in…"),
        "welcome": LocalizedText("已登录", "Logged in"),
        "welcomeNote": LocalizedText(
            "号码在商店的服务器上，手机只见过掩码。", "The shop's server has the number; the phone has only seen this mask."),
        "logOut": LocalizedText("退出登录", "Log out"),
        "web": LocalizedText("用浏览器打开商店网站", "Open the shop's web site"),
        "home": LocalizedText("回到手机主屏幕", "The phone's home screen"),
        "notLoggedIn": LocalizedText("没有登录", "Not logged in"),
        "again": LocalizedText("再试一次", "Try again"),
        "texts": LocalizedText("短信", "Text messages"),
        "noTexts": LocalizedText("还没有短信。", "None yet."),
        "sim": LocalizedText("SIM 卡", "SIM"),
        "dataSlot": LocalizedText("上网卡", "Data from"),
        "slot1": LocalizedText("卡一 · 中国移动", "Slot 1 · China Mobile"),
        "slot2": LocalizedText("卡二 · 中国联通", "Slot 2 · China Unicom"),
        "network": LocalizedText("网络", "Network"),
        "apply": LocalizedText("应用", "Apply"),
        "fault": LocalizedText("故障", "Fault"),
        "faultNow": LocalizedText("正在生效", "In force"),
        "noFault": LocalizedText("没有故障。", "None."),
        "step": LocalizedText("哪一步", "Step"),
        "kind": LocalizedText("发生什么", "What happens"),
        "code": LocalizedText("结果码", "Result code"),
        "milliseconds": LocalizedText("毫秒", "Milliseconds"),
        "times": LocalizedText("次数", "How often"),
        "always": LocalizedText("直到取消", "Until taken away"),
        "once": LocalizedText("一次", "Once"),
        "thrice": LocalizedText("三次", "Three times"),
        "putIn": LocalizedText("加入故障", "Put it in"),
        "takeAway": LocalizedText("取消故障", "Take it away"),
        "elsewhere": LocalizedText("用别的浏览器或脚本", "Another browser, or a script"),
        "elsewhereNote": LocalizedText(
            "这台手机的调制解调器是一个 HTTP 代理，只通向本沙箱：", "This phone's modem is an HTTP proxy that leads to this sandbox only:"),
        "script": LocalizedText("命令行：", "On the command line:"),
        "own": LocalizedText("接入自己的应用", "Connect your own app"),
        "ownNote": LocalizedText(
            "沙箱已为您登记一个应用。服务器在本机运行即可，密钥只对这个沙箱有效。",
            "The sandbox has registered an app for you. Your server runs on this machine; the keys are good for this "
                + "sandbox only."
        ),
        "appID": LocalizedText("应用编号", "App id"),
        "appKey": LocalizedText("应用密钥（给 SDK）", "App key, for the SDK"),
        "serverSecret": LocalizedText("服务端密钥（兑换令牌）", "Server secret, to redeem tokens"),
        "clientSecret": LocalizedText("OpenID 客户端密钥", "OpenID client secret"),
        "bundleID": LocalizedText("Bundle ID（包名）", "Bundle id"),
        "issuer": LocalizedText("OpenID 签发方", "OpenID issuer"),
        "redeemAt": LocalizedText("兑换令牌的地址", "Redeem tokens at"),
        "gateway": LocalizedText("SDK 的网关地址", "Gateway, for the SDK"),
        "redirectURIs": LocalizedText("重定向地址，每行一个", "Redirect URIs, one a line"),
        "hosts": LocalizedText("手机还能访问的主机，每行一个", "Other hosts that phones may reach, one a line"),
        "hostsNote": LocalizedText(
            "重定向地址里的本机主机不必再写。只能是本机：localhost 或 127.0.0.1，加端口。",
            "The hosts of redirect URIs are let through already. Of this machine only: localhost or 127.0.0.1, and a "
                + "port."
        ),
        "save": LocalizedText("保存", "Save"),
        "windows": LocalizedText("在这台手机上打开您的网页：", "Open your own pages on this phone:"),
        "snippetOpenID": LocalizedText("网页登录（OpenID Connect）", "Web login (OpenID Connect)"),
        "redeem": LocalizedText("兑换令牌", "Redeem a token"),
        "redeemNote": LocalizedText(
            "令牌来自这台手机的登录，由 benji 完成。先让终端找到 benji 和这个沙箱：",
            "The token comes from a login of this phone, made by benji. First let your terminal find benji and this "
                + "sandbox:"
        ),
        "redeemStart": LocalizedText(
            "curl 的几行粘贴到终端；其他程序开头的注释写着怎么启动。",
            "Paste the lines of curl into the terminal. A comment at the beginning of the other programs says how to "
                + "start them."
        ),
        "copy": LocalizedText("复制", "Copy"),
        "copied": LocalizedText("已复制", "Copied"),
        "timeline": LocalizedText("消息", "Messages"),
        "replay": LocalizedText("重放上一次登录", "Play the last login again"),
        "answer": LocalizedText("回答", "answer"),
        "time": LocalizedText("时间", "Time"),
        "bytes": LocalizedText("看它的字节", "See its bytes"),
        "head": LocalizedText("起始行与头部", "First line and headers"),
        "body": LocalizedText("正文", "Body"),
        "attributes": LocalizedText("报文的属性", "The packet's attributes"),
        "attribute": LocalizedText("属性", "Attribute"),
        "value": LocalizedText("值", "Value"),
        "valueBytes": LocalizedText("字节", "Bytes"),
        "findShort": LocalizedText("搜索", "Search"),
        "find": LocalizedText("搜索消息", "Search the messages"),
        "json": LocalizedText("按 JSON 排开", "Laid out as JSON"),
        "kept": LocalizedText("只保留了开头的字节，数量：", "only the first bytes are kept:"),
        "forgotten": LocalizedText("这些字节已不再保留。", "These bytes are not kept any more."),
        "back": LocalizedText("回到沙箱", "Back to the sandbox"),
        "search": LocalizedText("搜索结果码或含义", "Search codes and meanings"),
        "noneFound": LocalizedText("没有找到。", "None found."),
        "next": LocalizedText("接下来可以试", "What to try next"),
        "try": LocalizedText("试试", "Try it"),
        "tryNormal": LocalizedText("一切恢复正常：移动数据，没有故障。", "Put everything right: mobile data, no fault."),
        "tryWiFi": LocalizedText(
            "关掉移动数据再登录：一键登录不行，短信验证码可以。",
            "Turn mobile data off and log in: one tap ends in cellular_data_off, a code by SMS works."),
        "tryVPN": LocalizedText(
            "开 VPN 再登录：网关不认得隧道出口的地址。", "Go through a VPN: the gateway does not know the tunnel's address."),
        "tryDual": LocalizedText(
            "换双卡：登录的是上网那张卡的号码。", "Put in two cards: the number is that of the card that carries data."),
        "trySpent": LocalizedText(
            "让下一个令牌已被用过：商店的服务器会听到什么？", "Let the next token be spent already: what does the shop's server hear?"),
        "tryLost": LocalizedText(
            "让取令牌的请求丢失一次。", "Lose the request for a token once."),
        "tryFace": LocalizedText("刷脸登录，用这台电脑的摄像头：", "Log in by face, with this machine's camera:"),
        "tryFaceCommand": LocalizedText("刷脸登录：重新这样启动", "Log in by face: start the demo as"),
        "tryConsole": LocalizedText(
            "打开控制台：看登录的统计和经过，管理应用。", "Open the console: charts and the story of each login, and the settings of apps."),
        "tryOwn": LocalizedText("把自己的应用接进来：见下面。", "Connect an app of your own: see below."),
        "clear": LocalizedText("清空", "Clear"),
        "quiet": LocalizedText(
            "还没有消息。在手机里点“登录”。", "Nothing yet. Tap “Log in” on the phone."),
        "cause": LocalizedText("原因", "Cause"),
        "remedy": LocalizedText("处理", "What to do"),
        "detail": LocalizedText("细节", "Detail"),
        "trace": LocalizedText("跟踪号", "Trace"),
        "to": LocalizedText("到", "to"),
        "live": LocalizedText("实时", "live"),
        "broken": LocalizedText("连接断了，正在重试", "connection lost, trying again"),
        "foot": LocalizedText(
            "号码都是编造的。列表里没有号码，也没有凭证。打开的消息按原样显示字节，其中有编造的号码和只对这个沙箱有效的凭证。",
            "All numbers are made up. The list holds no number and no credential; a message that is opened shows its "
                + "bytes as they were sent, with made-up numbers and credentials of this sandbox."
        ),
    ]

    /// The name, and what to know; nothing where the number says enough.
    static func name(_ tray: SIMTray) -> (LocalizedText, LocalizedText) {
        switch tray {
        case .mobile: (LocalizedText("中国移动", "China Mobile"), LocalizedText("", ""))
        case .unicom: (LocalizedText("中国联通", "China Unicom"), LocalizedText("", ""))
        case .telecom: (LocalizedText("中国电信", "China Telecom"), LocalizedText("", ""))
        case .dual: (LocalizedText("双卡", "Dual SIM"), LocalizedText("移动和联通，一张上网", "two cards, one carries data"))
        case .unsupported:
            (
                LocalizedText("未接入的运营商", "Unsupported carrier"),
                LocalizedText("它的核心网不向本网关报告", "its core tells this gateway nothing")
            )
        case .iot:
            (LocalizedText("物联网卡", "IoT card"), LocalizedText("13 位号码，不能登录", "a thing's number, cannot log in"))
        }
    }

    static func name(_ network: PhoneNetwork) -> (LocalizedText, LocalizedText) {
        switch network {
        case .cellular:
            (LocalizedText("移动数据", "Mobile data"), LocalizedText("网关认得这个地址", "the gateway knows the address"))
        case .wifi: (LocalizedText("仅 Wi-Fi", "Wi-Fi only"), LocalizedText("移动数据关闭", "mobile data is off"))
        case .both:
            (
                LocalizedText("Wi-Fi + 移动数据", "Wi-Fi and mobile data"),
                LocalizedText("浏览器走 Wi-Fi，SDK 走移动数据", "browsers take Wi-Fi, the SDK mobile data")
            )
        case .vpn: (LocalizedText("VPN", "VPN"), LocalizedText("从隧道另一端发出", "leaves at the tunnel's other end"))
        case .roaming:
            (LocalizedText("国际漫游", "Roaming"), LocalizedText("从拜访地网络发出", "leaves in the visited network"))
        case .weak:
            (LocalizedText("弱网", "Weak"), LocalizedText("慢 0.7 秒，约七分之一丢失", "0.7 s late, one in seven lost"))
        }
    }

    static func name(_ step: SandboxStep) -> LocalizedText {
        switch step {
        case .connection: LocalizedText("手机的所有流量", "everything from the phone")
        case .attach: LocalizedText("核心网报告会话（RADIUS）", "the core reports the session (RADIUS)")
        case .page: LocalizedText("网页：打开登录页", "web: the login page opens")
        case .tap: LocalizedText("网页：勾选并点登录", "web: tick and tap")
        case .code: LocalizedText("网页：商店服务器换授权码", "web: the shop's server exchanges the code")
        case .number: LocalizedText("网页：商店服务器取号码", "web: the shop's server asks for the number")
        case .prefetch: LocalizedText("App：预取号", "app: prefetch")
        case .authorize: LocalizedText("App：取令牌", "app: authorize")
        case .redeem: LocalizedText("App：商店服务器兑换令牌", "app: the shop's server redeems the token")
        }
    }

    static func name(_ kind: SandboxFault.KindName) -> LocalizedText {
        switch kind {
        case .code: LocalizedText("返回结果码", "Answer with a code")
        case .delay: LocalizedText("延迟", "Delay")
        case .drop: LocalizedText("丢失", "Lose it")
        }
    }

    static func name(_ party: TimelineEntry.Party) -> LocalizedText {
        switch party {
        case .phone: LocalizedText("手机", "Phone")
        case .modem: LocalizedText("调制解调器", "Modem")
        case .sandbox: LocalizedText("沙箱", "Sandbox")
        case .packetCore: LocalizedText("核心网", "Packet core")
        case .gateway: LocalizedText("网关", "Gateway")
        case .authority: LocalizedText("认证服务", "Authority")
        case .shop: LocalizedText("应用服务器", "App's server")
        case .smsc: LocalizedText("短信中心", "SMS centre")
        }
    }

    /// The name above a line of life.
    static func lane(_ lane: DiagramRow.Lane) -> LocalizedText { name(lane.party) }
}
