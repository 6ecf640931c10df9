/// Every text of the shop's pages, in both languages, under the name by which the templates ask for it.
enum Words {
    static let table: [String: (chinese: String, english: String)] = [
        "shop": ("本机茶铺", "Little Tea Shop"),
        "slogan": ("一杯好茶，一键登录", "Good tea, and a login without a password"),
        "intro": ("手机流量下轻点一次就能登录，不用密码，也不用等短信。", "On mobile data, one tap logs you in: no password, no text message."),
        "skip": ("跳到正文", "Skip to the content"),
        "menu": ("导航", "Navigation"),
        "teas": ("今日好茶", "Today's teas"),
        "basket": ("购物袋", "Basket"),
        "account": ("我的", "Account"),
        "login": ("登录", "Log in"),
        "logout": ("退出登录", "Log out"),
        "add": ("加入购物袋", "Add to basket"),
        "remove": ("移除", "Remove"),
        "each": ("50 克", "50 g"),
        "total": ("合计", "Total"),
        "emptyBasket": ("购物袋还是空的。", "Your basket is empty."),
        "toTeas": ("去挑茶", "Choose a tea"),
        "order": ("提交订单", "Place the order"),
        "orderAfterLogin": ("登录并下单", "Log in to order"),
        "loginTitle": ("登录茶铺", "Log in to the tea shop"),
        "loginReason": (
            "运营商通过移动数据确认这台手机的号码。我们只用它联系您和认出您。",
            "Your carrier confirms this phone's number over mobile data. We use it to reach you and to know you again."
        ),
        "loginButton": ("本机号码一键登录", "Log in with this phone's number"),
        "loginNeeds": (
            "请用手机打开，并使用移动数据。在登录页面上会先显示打码的号码，您点同意后才会登录。",
            "Open this on the phone, with mobile data on. You first see the number, masked; nothing happens before you "
                + "agree."
        ),
        "loginBusy": ("请在登录窗口中继续…", "Please go on in the login window…"),
        "loginFailed": ("登录没有成功，请再试一次。", "The login did not work. Please try again."),
        "notOffered": ("这家店没有开通网页登录，请使用本店 App。", "This shop offers no login on the web. Please use its app."),
        "number": ("手机号", "Phone number"),
        "customer": ("会员号", "Customer number"),
        "recognised": ("识别方式", "Recognised by"),
        "byNetwork": ("本机网络", "the phone's connection"),
        "byDigits": ("本机网络和补全的号码", "the phone's connection and the digits you typed"),
        "bySMS": ("短信验证码", "a code that was sent to the number"),
        "byToken": ("本店 App", "the shop's app"),
        "orders": ("订单", "Orders"),
        "noOrders": ("还没有订单。", "No orders yet."),
        "orderNumber": ("订单号", "Order"),
        "landedTitle": ("已登录", "You are logged in"),
        "landedReason": ("正在回到茶铺。", "Taking you back to the shop."),
        "continue": ("继续", "Continue"),
        "again": ("再试一次", "Try again"),
        "back": ("回到首页", "Back to the teas"),
        "cancelledTitle": ("您没有登录", "You are not logged in"),
        "cancelledReason": (
            "登录已取消，号码没有提供给我们。购物袋还在。",
            "The login was cancelled, and we did not get your number. Your basket is still here."
        ),
        "staleTitle": ("登录已过期", "This login is over"),
        "staleReason": (
            "这次登录太久没有完成，或者不是从这个浏览器开始的。", "It took too long, or it was not begun in this browser."
        ),
        "unreachableTitle": ("登录服务没有回应", "The login service does not answer"),
        "unreachableReason": ("问题不在您的手机，请稍后再试。", "It is not your phone. Please try again in a while."),
        "refusedTitle": ("登录没有成功", "The login did not work"),
        "refusedReason": ("登录服务拒绝了这次请求。代码：", "The login service refused the request. Code: "),
        "mistrustedTitle": ("登录没有成功", "The login did not work"),
        "mistrustedReason": (
            "登录服务的回答没有通过检查，为了安全没有登录。",
            "The answer of the login service did not pass our checks, so nobody was logged in."
        ),
        "missingTitle": ("没有这个页面", "There is no such page"),
        "missingReason": ("地址可能写错了，或者页面已经搬走。", "The address may be mistyped, or the page has moved."),
        "forbiddenTitle": ("请求没有被接受", "The request was not accepted"),
        "forbiddenReason": ("它不是从茶铺的页面发出的。", "It did not come from this shop's pages."),
        "sample": ("示例商店，不会真的发货。", "An example shop. Nothing is shipped."),
    ]

    /// The texts of one language, for a template.
    static func all(_ language: Language) -> [String: String] { language == .chinese ? chinese : english }

    private static let chinese = table.mapValues(\.chinese)
    private static let english = table.mapValues(\.english)
}
