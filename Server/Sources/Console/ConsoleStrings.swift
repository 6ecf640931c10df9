import Administration
import BenjiPage
import BenjiProtocol
import Store

/// The pages' own words, by their names in the templates.
enum ConsoleStrings {
    /// All of them in one language, for a template.
    static func all(_ language: Language) -> [String: String] { language == .english ? english : chinese }

    private static let chinese = words.mapValues(\.simplifiedChinese)
    private static let english = words.mapValues(\.english)
    static let words = [page, logins, books, installation, oneTap, team].reduce(into: [:]) { all, some in
        all.merge(some) { own, _ in own }
    }

    /// The title of the page that a template is.
    static func title(_ template: String) -> LocalizedText {
        words[titles[template] ?? template] ?? LocalizedText("Benji")
    }

    private static let titles = [
        "sign-in": "signIn", "find-logins": "logins", "all-logins": "allLogins", "account": "invitation", "app": "apps",
        "web-login": "webLogin", "problem": "problem",
        "phone": "ownPhone", "landed": "signIn",
        "keys": "keysAndBackups",
    ]

    static func role(_ role: Role) -> LocalizedText {
        switch role {
        case .operator: LocalizedText("运营者", "operator")
        case .support: LocalizedText("客服", "support")
        case .auditor: LocalizedText("审计", "auditor")
        case .developer: LocalizedText("开发者", "developer")
        }
    }

    /// Whether an app's key is in use, for the table of keys.
    static func use(_ use: String) -> LocalizedText {
        use == "package" ? page["appKey"] ?? LocalizedText(use) : page["serverSecret"] ?? LocalizedText(use)
    }

    static let page: [String: LocalizedText] = [
        "skip": LocalizedText("跳到内容", "Skip to the content"),
        "navigation": LocalizedText("导航", "Navigation"),
        "language": LocalizedText("语言", "Language"),
        "signIn": LocalizedText("登录", "Sign in"),
        "signInNote": LocalizedText(
            "开发者和运营者的控制台。", "The console for developers and operators."),
        "signOut": LocalizedText("退出", "Sign out"),
        "name": LocalizedText("名称", "Name"),
        "userName": LocalizedText("用户名", "User name"),
        "password": LocalizedText("密码", "Password"),
        "code": LocalizedText("验证器 App 显示的六位数字", "The six digits in your authenticator app"),
        "haveInvitation": LocalizedText("我有邀请码", "I have an invitation"),
        "haveAccount": LocalizedText("我已有账号", "I have an account"),
        "invitation": LocalizedText("邀请码", "Invitation"),
        "invitationNote": LocalizedText(
            "运营者用 benji admin grant NAME --role … --console 得到它，只显示一次。",
            "An operator gets it, once, from benji admin grant NAME --role … --console."),
        "next": LocalizedText("下一步", "Next"),
        "welcome": LocalizedText("欢迎，", "Welcome,"),
        "authenticator": LocalizedText("一、添加到验证器 App", "1. Add it to an authenticator app"),
        "authenticatorNote": LocalizedText(
            "在手机的验证器 App（例如 FreeOTP、Google Authenticator）里选择手动输入密钥，填入：",
            "In the authenticator app of your phone (FreeOTP, Google Authenticator and others) choose to type a key, "
                + "and type:"
        ),
        "openAuthenticator": LocalizedText("在本机的验证器中打开", "Open it in an authenticator on this device"),
        "firstCode": LocalizedText("它现在显示的六位数字", "The six digits that it shows now"),
        "choosePassword": LocalizedText("二、设置密码", "2. Choose a password"),
        "newPassword": LocalizedText("密码（至少 12 个字符）", "Password (12 characters or more)"),
        "makeAccount": LocalizedText("完成并登录", "Finish and sign in"),
        "problem": LocalizedText("未能完成", "Not done"),
        "back": LocalizedText("回到应用列表", "Back to the apps"),
        "done": LocalizedText("已完成。", "Done."),
        "apps": LocalizedText("应用", "Apps"),
        "audit": LocalizedText("审计日志", "Audit log"),
        "id": LocalizedText("编号", "Id"),
        "state": LocalizedText("状态", "State"),
        "noApps": LocalizedText("还没有应用。", "No apps yet."),
        "noSuchApps": LocalizedText("没有符合条件的应用。", "No app is like that."),
        "nameOrID": LocalizedText("名称或编号", "Name or id"),
        "more": LocalizedText("更多", "More"),
        "newApp": LocalizedText("新建应用", "New app"),
        "appName": LocalizedText("应用名称（给人看）", "Name, for people"),
        "bundles": LocalizedText("Bundle ID（包名），用空格分开", "Bundle ids, separated by spaces"),
        "addresses": LocalizedText("服务器地址，用空格分开", "Addresses of your server, separated by spaces"),
        "serverAddresses": LocalizedText("服务器地址", "Server addresses"),
        "addressesNote": LocalizedText(
            "只有这些地址可以兑换令牌，例如 203.0.113.7 或 203.0.113.0/24。",
            "Tokens are redeemed from these alone, such as 203.0.113.7 or 203.0.113.0/24."),
        "waitsNote": LocalizedText(
            "运营者允许之前，新应用的请求不会被应答。", "A new app is answered once an operator has allowed it."),
        "create": LocalizedText("新建", "Create"),
        "onceTitle": LocalizedText("请现在保存：只显示这一次", "Keep these now: they are shown this once"),
        "appKey": LocalizedText("应用密钥（放进 App）", "App key, for the phone's package"),
        "serverSecret": LocalizedText("服务端密钥（只放在服务端）", "Server secret, for your server alone"),
        "connect": LocalizedText("接入", "Connect it"),
        "appID": LocalizedText("应用编号", "App id"),
        "redeemAt": LocalizedText("兑换令牌的地址", "Redeem tokens at"),
        "gateway": LocalizedText("SDK 的网关地址", "Gateway, for the SDK"),
        "issuer": LocalizedText("OpenID 签发方", "OpenID issuer"),
        "redirectURIs": LocalizedText("网页登录的重定向地址", "Redirect URIs of the web login"),
        "none": LocalizedText("没有", "none"),
        "logIn": LocalizedText("在手机上登录", "Log in, on the phone"),
        "logInNote": LocalizedText(
            "加入本仓库的 Swift 包，选择一种 SDK：我们自己的，或与您已用的同名、调用相同的。TYRZLogin 只校验本机号码；SuperID 是刷脸登录，其密钥是应用密钥。",
            "Add the Swift package, and choose an SDK: our own, or the one that your app calls already, under its "
                + "name. TYRZLogin only answers whether it is this number; SuperID logs in by face, and its secret is "
                + "the app key."
        ),
        "redeem": LocalizedText("兑换令牌", "Redeem a token"),
        "redeemNote": LocalizedText(
            "手机登录后得到令牌，您的服务器用它换取号码。把令牌作为第一个参数：",
            "The phone gets a token when somebody logs in; your server redeems it for the number. Give the token as "
                + "the first argument:"
        ),
        "copy": LocalizedText("复制", "Copy"),
        "copied": LocalizedText("已复制", "Copied"),
        "keys": LocalizedText("密钥", "Keys"),
        "keysNote": LocalizedText(
            "换新时旧的仍然有效，直到您结束它：先换上新的，确认旧的不再使用，再结束。",
            "A new one stands beside the old one until you end that: change over, see that the old one is used no "
                + "more, end it."
        ),
        "use": LocalizedText("用途", "Use"),
        "version": LocalizedText("版本", "Version"),
        "made": LocalizedText("创建于", "Made"),
        "lastUsed": LocalizedText("最近使用", "Last used"),
        "validUntil": LocalizedText("有效至", "Valid until"),
        "rotateKey": LocalizedText("换新应用密钥", "New app key"),
        "rotateSecret": LocalizedText("换新服务端密钥", "New server secret"),
        "splitKeys": LocalizedText("为服务器单独设置密钥", "Give the server a secret of its own"),
        "overlap": LocalizedText("旧密钥", "Former key"),
        "untilRetired": LocalizedText("直到我结束它", "stays until I end it"),
        "days7": LocalizedText("七天后结束", "ends after 7 days"),
        "days30": LocalizedText("三十天后结束", "ends after 30 days"),
        "atOnce": LocalizedText("立即结束（已泄露）", "ends at once: it leaked"),
        "end": LocalizedText("结束", "End"),
        "confirm": LocalizedText("确认：", "Confirm:"),
        "endNote": LocalizedText("使用该密钥的请求立即被拒绝，无法恢复。", "What uses it is refused at once. It cannot be taken back."),
        "revokeNote": LocalizedText("其令牌、账号和会话立即结束。", "Their token, account and sessions end at once."),
        "removeCallbackNote": LocalizedText(
            "不再发送任何事件，没有送达的也不再发送。", "No event is sent any more, also none that waits."),
        "operation": LocalizedText("运营", "Operation"),
        "suspend": LocalizedText("停用", "Suspend"),
        "suspendNote": LocalizedText(
            "从下一个请求起，不再应答这个应用的手机和服务器。",
            "From the next request on nothing is answered to its phones and servers."),
        "resume": LocalizedText("恢复", "Resume"),
        "allow": LocalizedText("允许", "Allow"),
        "allowNote": LocalizedText("允许后，这个应用的请求才会被应答。", "It is answered once it is allowed."),
        "reason": LocalizedText("原因（写入审计日志）", "Reason, for the audit log"),
        "at": LocalizedText("时间（UTC+8）", "Time (UTC+8)"),
        "actor": LocalizedText("谁", "Who"),
        "order": LocalizedText("操作", "Order"),
        "subject": LocalizedText("对象", "About"),
        "outcome": LocalizedText("结果", "Outcome"),
        "app": LocalizedText("应用", "App"),
        "find": LocalizedText("查找", "Find"),
        "older": LocalizedText("更早的", "Older"),
        "noLines": LocalizedText("没有记录。", "No lines."),
        "changes": LocalizedText("变更", "Changes"),
        "resultCode": LocalizedText("结果码", "Result code"),
        "trace": LocalizedText("跟踪号", "Trace"),
        "when": LocalizedText("时间", "When"),
        "hours-1": LocalizedText("一小时内", "within an hour"),
        "hours-24": LocalizedText("一天内", "within a day"),
        "hours-168": LocalizedText("一周内", "within a week"),
        "hours-": LocalizedText("任何时间", "at any time"),
        "step": LocalizedText("步骤", "Step"),
        "design": LocalizedText("设计授权页", "Design a page"),
        "overview": LocalizedText("概览", "Overview"),
        "settings": LocalizedText("设置", "Settings"),
        "webLogin": LocalizedText("网页登录", "Web login"),
        "callback": LocalizedText("事件回调", "Callback"),
        "save": LocalizedText("保存", "Save"),
        "yes": LocalizedText("是", "yes"),
        "no": LocalizedText("否", "no"),
        "oneALine": LocalizedText("每行一个。", "One a line."),
        "registered": LocalizedText("已登记", "Registered"),
        "takeAway": LocalizedText("移除", "Remove"),
        "needsScript": LocalizedText("上传图片需要浏览器脚本。", "Sending a picture needs scripts in the browser."),
        "groupApp": LocalizedText("应用", "The app"),
        "groupServer": LocalizedText("应用服务器", "Its server"),
        "groupLogin": LocalizedText("登录", "Logins"),
        "groupLimits": LocalizedText("限额与有效期", "Limits and lifetimes"),
        "groupPages": LocalizedText("页面与单点登录", "Pages and single sign-on"),
        "openIDClient": LocalizedText("OpenID Connect 客户端", "OpenID Connect client"),
        "ignoredKeys": LocalizedText("JWK 集中未登记的内容", "Not registered of the JWK set"),
        "newClientNote": LocalizedText(
            "保存后得到客户端密钥（只显示一次）和一个可用的登录页。页面里链接您的条款：",
            "Saving makes a client secret, shown this once, and a login page to begin with. It links your own terms:"),
        "noClient": LocalizedText(
            "这个应用还不是 OpenID Connect 客户端；由运营者登记。",
            "This app is no OpenID Connect client yet; an operator makes it one."),
        "agreement": LocalizedText("用户协议的地址", "Address of your user agreement"),
        "privacy": LocalizedText("隐私政策的地址", "Address of your privacy policy"),
        "clientSecret": LocalizedText("客户端密钥", "Client secret"),
        "rotateClientSecret": LocalizedText("换新客户端密钥", "New client secret"),
        "removeClient": LocalizedText("取消网页登录", "End the web login"),
        "removeClientNote": LocalizedText(
            "它持有的授权码和令牌全部立即失效。", "Every code and token that it holds ends at once."),
        "drawn": LocalizedText("预览", "How it looks"),
        "drawnNote": LocalizedText(
            "393 × 852 的手机屏幕，示例号码。图片不在描述里，这里留空。其他屏幕和语言：",
            "On a phone of 393 by 852 points, with a sample number. Pictures are not in the description and are left "
                + "out. Other screens and languages:"
        ),
        "drawnByApp": LocalizedText(
            "这个页面由 App 自己画，看不到样子。", "The app draws this page itself; how it looks is not known here."),
        "light": LocalizedText("浅色", "Light"),
        "dark": LocalizedText("深色", "Dark"),
        "renewNote": LocalizedText(
            "重新邀请会立即结束原账号及其会话。", "Inviting anew ends the former account and its sessions at once."),
        "pageDigest": LocalizedText("页面摘要", "Page digest"),
        "callbackNote": LocalizedText(
            "登录、校验、撤回同意、停用和恢复时，向您的服务器发送签名的 HTTPS 请求（Standard Webhooks）。",
            "Signed HTTPS requests (Standard Webhooks) tell your server of logins, verifications, withdrawn consents "
                + "and the app's being stopped or resumed."
        ),
        "callbackStopped": LocalizedText(
            "接收方说它已不存在，回调已停止；重新保存即可恢复。",
            "The receiver said that it is gone, so the callback is stopped; save it anew."),
        "callbackURL": LocalizedText("接收事件的地址", "Where events are sent"),
        "callbackSecret": LocalizedText("签名密钥", "Secret that signs events"),
        "events": LocalizedText("事件", "Events"),
        "event": LocalizedText("事件", "Event"),
        "test": LocalizedText("发送测试事件", "Send a test event"),
        "rotateCallback": LocalizedText("换新签名密钥", "New secret"),
        "removeCallback": LocalizedText("移除", "Remove"),
        "deliveries": LocalizedText("投递", "Deliveries"),
        "noDeliveries": LocalizedText("没有。", "None."),
        "delivery-waiting": LocalizedText("等待", "waiting"),
        "delivery-delivered": LocalizedText("已送达", "delivered"),
        "delivery-dead": LocalizedText("未能送达", "dead letter"),
        "tries": LocalizedText("次数", "Tries"),
        "replay": LocalizedText("再次发送", "Send again"),
        "people": LocalizedText("人员", "People"),
        "role": LocalizedText("角色", "Role"),
        "credential": LocalizedText("凭证", "Credential"),
        "credential-token": LocalizedText("令牌", "token"),
        "credential-certificate": LocalizedText("证书", "certificate"),
        "credential-invitation": LocalizedText("控制台", "console"),
        "ended": LocalizedText("已结束", "ended"),
        "renew": LocalizedText("重新邀请", "Invite anew"),
        "revoke": LocalizedText("撤销", "Revoke"),
        "invite": LocalizedText("邀请", "Invite somebody"),
        "nameNote": LocalizedText(
            "小写字母、数字、点、连字符和下划线；审计日志里这样称呼。",
            "Lower-case letters, digits, dots, hyphens and underscores; the audit log calls them so."),
        "appsOfDeveloper": LocalizedText("开发者的应用编号，用空格分开（可以没有）", "A developer's app ids, apart by spaces; may be none"),
        "invitedNote": LocalizedText(
            "请他们打开 /console/invitation 填入。", "They enter it at /console/invitation."),
        "pages": LocalizedText("页面审核", "Page reviews"),
        "page": LocalizedText("页面", "Page"),
        "noPages": LocalizedText("没有提交的页面。", "No page was submitted."),
        "all": LocalizedText("全部", "all"),
        "page-submitted": LocalizedText("等待决定", "waits"),
        "page-approved": LocalizedText("已批准", "approved"),
        "page-refused": LocalizedText("已拒绝", "refused"),
        "page-withdrawn": LocalizedText("已撤回", "withdrawn"),
        "submitted": LocalizedText("提交", "Submitted"),
        "findings": LocalizedText("错误 / 警告", "Errors / warnings"),
        "noFindings": LocalizedText("没有违反任何规则。", "It breaks no rule."),
        "description": LocalizedText("描述", "Description"),
        "note": LocalizedText("说明", "Note"),
        "decided": LocalizedText("决定", "Decided"),
        "decide": LocalizedText("决定", "Decide"),
        "approve": LocalizedText("批准", "Approve"),
        "refuse": LocalizedText("拒绝", "Refuse"),
        "withdraw": LocalizedText("撤回", "Withdraw"),
    ]
}
