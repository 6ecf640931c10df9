import BenjiPage
package import BenjiProtocol

/// Why a login cannot go on, as people tell such things apart.
package enum NoticeCause {
    case offNetwork, inDoubt, unsupported, expired, otherBrowser, connectionChanged, otherAccount, numberUnknown
    case tooOften, fault

    /// - Parameter asksForOtherAccount: whether the app asks for an account that is not this phone's.
    package init(_ situation: Situation, asksForOtherAccount: Bool = false) {
        switch situation {
        case _ where asksForOtherAccount: self = .otherAccount
        case .addressUnknown: self = .offNetwork
        case .addressStale, .addressAmbiguous: self = .inDoubt
        case .subscriberUnsupported, .carrierUnsupported, .gatewayNotTrusted: self = .unsupported
        case .scripExpired: self = .expired
        case .consentInvalid: self = .otherBrowser
        case .subscriptionMismatch, .subscriptionChanged: self = .connectionChanged
        case .numberNotServed: self = .numberUnknown
        case .tooManyRequests: self = .tooOften
        default: self = .fault
        }
    }
}

/// The words for a login that cannot go on: the event, its reason, and a remedy.
package struct NoticeStrings {
    /// A possible remedy. A text that names a button appears only with that button.
    enum Step {
        case deed(LocalizedText)
        /// To wait, and then to press ``NoticeStrings/retry`` where it is.
        case waiting
        /// To press the button that leads back to the app.
        case otherWay
    }

    var title: LocalizedText
    var reason: LocalizedText
    var steps: [Step]
    /// Whether asking again can help.
    var canRetry = true
    /// On the link that leads back to the app.
    var wayBack = NoticeStrings.otherWay

    package static let retry = LocalizedText("再试一次", "再試一次", "Try again")
    package static let otherWay = LocalizedText("用其他方式登录", "用其他方式登入", "Log in another way")
    package static let byCode = LocalizedText("用短信验证码登录", "用簡訊驗證碼登入", "Log in with a code by SMS")
    static let backToApp = LocalizedText("返回应用", "返回應用程式", "Back to the app")
    package static let mistakeTitle = LocalizedText("应用的登录请求有误", "應用程式的登入請求有誤", "The app's login request is wrong")
    package static let mistake = LocalizedText(
        "这是应用的问题，不是您的问题。请将下面的内容告诉应用的开发者。",
        "這是應用程式的問題，不是您的問題。請將下面的內容告訴應用程式的開發者。",
        "The mistake is the app's, not yours. Please tell the app's developer what stands below.")
    package static let forDevelopers = LocalizedText(
        "为了安全，未确认应用与回调地址之前不会跳转。", "為了安全，未確認應用程式與回呼位址之前不會跳轉。",
        "Nobody is redirected before app and address are known to belong together.")

    private static let mobileData = LocalizedText(
        "关闭 Wi-Fi，打开移动数据", "關閉 Wi-Fi，開啟行動數據", "Switch Wi-Fi off and mobile data on")
    private static let noTunnel = LocalizedText(
        "关闭 VPN、代理和 iCloud 专用代理", "關閉 VPN、代理伺服器和 iCloud 私密轉送",
        "Switch off VPN, proxies and iCloud Private Relay")
    private static let dataSIM = LocalizedText(
        "双卡手机：用要登录的号码上网", "雙卡手機：用要登入的號碼上網",
        "If you have two SIMs, use the mobile data of the number you want to log in with")
    private static let waitAndRetry = LocalizedText("等一分钟再试一次", "等一分鐘再試一次", "Wait a minute and try again")
    private static let waitAndBegin = LocalizedText(
        "等一分钟，然后在应用中重新点登录", "等一分鐘，然後在應用程式中重新點登入",
        "Wait a minute, then start the login again in the app")
    private static let airplane = LocalizedText(
        "打开飞行模式几秒后再关闭", "開啟飛航模式幾秒後再關閉", "Switch airplane mode on for some seconds, and off again")
    private static let beginAgain = LocalizedText(
        "在应用中重新点登录", "在應用程式中重新點登入", "Start the login again in the app")
    private static let cookies = LocalizedText(
        "允许浏览器保存 Cookie，不要复制链接到别的浏览器", "允許瀏覽器儲存 Cookie，不要複製連結到別的瀏覽器",
        "Let the browser keep cookies, and stay in the browser that opened the page")
    private static let thatPhone = LocalizedText(
        "用那个账号的号码所在的手机打开", "用那個帳號的號碼所在的手機開啟",
        "Open the page on the phone that has that account's number")

    /// The steps as the page says them.
    /// - Parameters:
    ///   - retries: whether the page has the button ``retry``.
    ///   - leadsBack: whether it has the button ``wayBack``.
    func said(retries: Bool, leadsBack: Bool) -> [LocalizedText] {
        steps.compactMap { step in
            switch step {
            case .deed(let text): text
            case .waiting: retries ? Self.waitAndRetry : Self.waitAndBegin
            case .otherWay: leadsBack ? wayBack : nil
            }
        }
    }

    init(_ cause: NoticeCause) {
        switch cause {
        case .offNetwork:
            title = LocalizedText("无法识别本机号码", "無法識別本機號碼", "This phone's number was not recognised")
            reason = LocalizedText(
                "一键登录由运营商通过移动数据识别号码，而本次访问没有经过运营商的移动网络。",
                "一鍵登入由電信業者透過行動數據識別號碼，而本次存取沒有經過電信業者的行動網路。",
                "The carrier recognises the number by the phone's mobile data, and this visit did not come over it.")
            steps = [.deed(Self.mobileData), .deed(Self.noTunnel), .deed(Self.dataSIM)]
        case .inDoubt:
            title = LocalizedText("暂时无法确认本机号码", "暫時無法確認本機號碼", "The number cannot be confirmed just now")
            reason = LocalizedText(
                "网络此刻不能肯定这个连接属于哪个号码，为了安全不作猜测。", "網路此刻不能肯定這個連線屬於哪個號碼，為了安全不作猜測。",
                "The network is not certain whose connection this is, and does not guess.")
            steps = [.deed(Self.airplane), .waiting]
        case .unsupported:
            title = LocalizedText("此卡不支持一键登录", "此卡不支援一鍵登入", "This SIM cannot log in with one tap")
            reason = LocalizedText(
                "物联网卡、上网卡和部分运营商的号码不能用于登录。", "物聯網卡、上網卡和部分電信業者的號碼不能用於登入。",
                "Cards for things and for data only, and some carriers' numbers, cannot be used.")
            steps = [.deed(Self.dataSIM), .otherWay]
            canRetry = false
        case .expired:
            title = LocalizedText("页面已失效", "頁面已失效", "This page has expired")
            reason = LocalizedText(
                "登录页面只能用一次，且几分钟内有效。", "登入頁面只能用一次，且幾分鐘內有效。",
                "A login page can be used once, and for a few minutes.")
            steps = [.deed(Self.beginAgain)]
            wayBack = Self.backToApp
        case .otherBrowser:
            title = LocalizedText("不是在此浏览器中打开的", "不是在此瀏覽器中開啟的", "The page was opened in another browser")
            reason = LocalizedText(
                "确认登录的请求不是来自显示登录页面的浏览器，因此没有登录。", "確認登入的請求不是來自顯示登入頁面的瀏覽器，因此沒有登入。",
                "The confirmation did not come from the browser that showed the page, so nobody was logged in.")
            steps = [.deed(Self.cookies), .deed(Self.beginAgain)]
        case .connectionChanged:
            title = LocalizedText("网络已切换", "網路已切換", "The connection has changed")
            reason = LocalizedText(
                "确认时的连接不再属于页面上显示的号码，因此没有登录。", "確認時的連線不再屬於頁面上顯示的號碼，因此沒有登入。",
                "The connection no longer belongs to the number that was shown, so nobody was logged in.")
            steps = [.deed(Self.mobileData), .deed(Self.beginAgain)]
        case .otherAccount:
            title = LocalizedText("需要另一个账号", "需要另一個帳號", "Another account is asked for")
            reason = LocalizedText(
                "应用要继续使用的账号不属于这部手机的号码，因此没有登录。", "應用程式要繼續使用的帳號不屬於這部手機的號碼，因此沒有登入。",
                "The account that the app wants to go on with is not of this phone's number, so nobody was logged in.")
            steps = [.deed(Self.thatPhone), .deed(Self.dataSIM)]
            wayBack = Self.backToApp
        case .numberUnknown:
            title = LocalizedText("这个号码暂不能用验证码登录", "這個號碼暫不能用驗證碼登入", "This number cannot log in by a code yet")
            reason = LocalizedText(
                "验证码是对的，但本服务还不认识这个号码，或很久没有见过它，或它刚换了卡或机主。用移动数据登录一次之后就可以了。",
                "驗證碼是對的，但本服務還不認識這個號碼，或很久沒有見過它，或它剛換了卡或機主。用行動數據登入一次之後就可以了。",
                "The code is right, but the service does not know the number yet, has not heard of it for long, or its "
                    + "SIM or owner has just changed. After one login over mobile data it can."
            )
            steps = [.deed(Self.mobileData), .deed(Self.beginAgain), .otherWay]
            canRetry = false
        case .tooOften:
            title = LocalizedText("尝试次数过多", "嘗試次數過多", "Too many tries")
            reason = LocalizedText(
                "为保护号码，短时间内的次数有限。", "為保護號碼，短時間內的次數有限。",
                "Tries are limited, to protect the number.")
            steps = [.waiting, .otherWay]
        case .fault:
            title = LocalizedText("登录服务暂时不可用", "登入服務暫時無法使用", "The login service is not available just now")
            reason = LocalizedText(
                "我们这边出了问题，号码没有提供给任何人。", "我們這邊出了問題，號碼沒有提供給任何人。",
                "Something is wrong on our side. The number was given to nobody.")
            steps = [.waiting, .otherWay]
        }
    }
}
