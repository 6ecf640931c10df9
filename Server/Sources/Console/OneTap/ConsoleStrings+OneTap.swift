import BenjiPage

extension ConsoleStrings {
    /// Of the pages about one tap of one's own phone.
    static let oneTap: [String: LocalizedText] = [
        "tapInstead": LocalizedText(
            "已绑定自己的手机？不填数字，下一步用手机一键代替。",
            "Have you bound your own phone? Leave the digits out: one tap on it takes their place."),
        "second": LocalizedText("还差一步", "One more step"),
        "tap": LocalizedText("用我的手机一键登录", "One tap on my phone"),
        "tapNote": LocalizedText(
            "请在绑定的手机上、用它的移动数据打开控制台。电脑或 Wi-Fi 认不出手机：请填下面的数字，密码不用再填。",
            "Open the console on the phone that you bound, over its mobile data. A computer or Wi-Fi does not know the "
                + "phone: enter the digits below, and no password again."
        ),
        "cannotTap": LocalizedText(
            "现在联系不上认手机的服务，请填数字。", "The service that knows your phone cannot be reached now. Enter the digits."),
        "codeInstead": LocalizedText("或用六位数字", "Or the six digits"),
        "beginAgain": LocalizedText("换一个用户名", "Begin with another name"),
        "goOn": LocalizedText("继续", "Go on"),
        "ownPhone": LocalizedText("我的手机", "My phone"),
        "phoneBound": LocalizedText("已绑定", "Bound"),
        "noPhone": LocalizedText("没有绑定手机", "No phone is bound"),
        "phoneSince": LocalizedText("手机绑定于", "Phone bound since"),
        "ownPhoneNote": LocalizedText(
            "登录时，密码之后，一键代替六位数字。控制台不知道手机号码，只保存一个无法还原的摘要。号码换了人就不再有效；补换 SIM 卡仍有效，丢了手机请先在这里解绑。",
            "After the password, one tap takes the place of the six digits. The console never learns the number; it "
                + "keeps a digest that nothing can be read from. When the number is given to somebody else it counts "
                + "no more. It goes on to count after the SIM is replaced, so remove a phone that you lost."
        ),
        "bindPhone": LocalizedText("绑定手机", "Bind a phone"),
        "bindOther": LocalizedText("换绑另一部手机", "Bind another phone in its place"),
        "bindNote": LocalizedText(
            "请在这部手机上、用它的移动数据操作。先再填一次密码。",
            "Do this on the phone itself, over its mobile data. First, your password again."),
        "bindTapNote": LocalizedText(
            "密码正确。现在用这部手机一键确认。", "The password is right. Now confirm with one tap on this phone."),
        "removePhone": LocalizedText("解绑手机", "Remove the phone"),
        "removePhoneNote": LocalizedText(
            "之后用六位数字登录；已登录的浏览器不受影响。",
            "Sign-in goes on with the six digits. Browsers that have signed in stay signed in."),
    ]
}
