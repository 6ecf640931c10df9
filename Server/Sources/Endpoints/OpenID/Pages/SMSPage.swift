import BenjiPage
import BenjiProtocol
import OpenIDProvider
import ServerHTTP

/// The page that asks for a number, and the one that asks for the code that was sent to it.
struct SMSPage {
    private let page: OpenIDPage
    private let form: SMSForm

    init(_ page: OpenIDPage, _ form: SMSForm) {
        self.page = page
        self.form = form
    }

    private static let numberHint = LocalizedText(
        "中国大陆号码直接填写，其他地区以 + 和区号开头。", "中國大陸號碼直接填寫，其他地區以 + 和區號開頭。",
        "Numbers of mainland China as they are; others begin with + and the country code.")
    private static let codeTitle = LocalizedText("请输入验证码", "請輸入驗證碼", "Type the code")
    private static let another = LocalizedText("重新获取验证码", "重新取得驗證碼", "Send another code")
    private static let otherNumber = LocalizedText("换一个号码", "換一個號碼", "Use another number")
    private static let waiting = LocalizedText(" 秒后可重新获取", " 秒後可重新取得", " s until another code can be sent")

    private func sent() -> LocalizedText {
        LocalizedText(
            "验证码已发送至 \(form.maskedNumber)", "驗證碼已傳送至 \(form.maskedNumber)", "A code was sent to \(form.maskedNumber)")
    }

    func document(nonce: String) -> String {
        let language = page.language
        var values: [String: Any] = [
            "action": OpenIDProvider.Path.login.rawValue, "secret": page.secret, "number": form.number,
            "otherWay": NoticeStrings.otherWay[language],
        ]
        values["problem"] = form.problem.map { SMSProblem.words(of: $0, form)[language] }
        return form.transaction.map { code($0, values, nonce) } ?? number(values, nonce)
    }

    private func number(_ values: [String: Any], _ nonce: String) -> String {
        let language = page.language
        let terms = SMSPageStrings.terms(of: page.description, language).map { piece -> [String: Any] in
            var values: [String: Any] = ["text": piece.text]
            values["url"] = piece.url
            return values
        }
        return SmallPage(
            .number, language, title: SMSPageStrings.title[language], app: page.app, look: page.look,
            values.merging([
                "reason": SMSPageStrings.reason[language], "label": SMSPageStrings.number[language],
                "hint": Self.numberHint[language], "terms": terms, "agreed": form.isAgreed,
                "isAboutTerms": form.problem == .consentMissing, "getCode": SMSPageStrings.getCode[language],
            ]) { $1 }
        ).document(nonce: nonce)
    }

    private func code(_ transaction: String, _ values: [String: Any], _ nonce: String) -> String {
        let language = page.language
        var values = values
        if form.wait > 0 { values["wait"] = form.wait }
        // After a code that is over there is nothing to be told of it.
        if form.problem == nil || form.problem == .codeWrong || form.problem == .parameterInvalid {
            values["sent"] = sent()[language]
        }
        return SmallPage(
            .code, language, title: Self.codeTitle[language], app: page.app, look: page.look,
            values.merging([
                "transaction": transaction, "label": SMSPageStrings.code[language], "digits": form.digits,
                "logIn": SMSPageStrings.logIn[language], "another": Self.another[language],
                "waiting": Self.waiting[language], "otherNumber": Self.otherNumber[language],
            ]) { $1 }
        ).document(nonce: nonce)
    }
}

/// The words of the pages for a code by SMS about an input. They do not reveal whether the register knows the number.
enum SMSProblem {
    static func words(of problem: Situation, _ form: SMSForm) -> LocalizedText {
        switch problem {
        case .consentMissing:
            LocalizedText("请先阅读并勾选同意条款。", "請先閱讀並勾選同意條款。", "Please read the terms and tick first.")
        case .numberMalformed: LocalizedText("请检查手机号码。", "請檢查手機號碼。", "Please check the number.")
        case .numberNotServed:
            LocalizedText(
                "不能向这个号码发送验证码，请检查号码。", "不能向這個號碼傳送驗證碼，請檢查號碼。",
                "No code can be sent to this number. Please check it.")
        case .numberBlocked:
            LocalizedText(
                "网络不能把短信送到这个号码。", "網路不能把簡訊送到這個號碼。", "The network takes no message for this number.")
        case .tooManyCodes:
            LocalizedText(
                "这个号码获取验证码的次数过多，请稍后再试。", "這個號碼取得驗證碼的次數過多，請稍後再試。",
                "This number was sent many codes. Please try again later.")
        case .tooManyRequests:
            LocalizedText(
                "获取验证码过于频繁，请稍后再试。", "取得驗證碼過於頻繁，請稍後再試。",
                "Too many codes were asked for from this network. Please try again later.")
        case .quotaExceeded:
            LocalizedText(
                "今天不能再发送验证码，请用其他方式登录。", "今天不能再傳送驗證碼，請用其他方式登入。",
                "No more codes can be sent today. Please log in another way.")
        case .codeWrong: wrong(form.triesLeft ?? 0)
        case .codeTriesExceeded:
            LocalizedText(
                "输错次数过多，该验证码已失效。请重新获取。", "輸錯次數過多，該驗證碼已失效。請重新取得。",
                "Too many wrong codes: this one is over. Please ask for another.")
        case .codeExpired:
            LocalizedText(
                "验证码已失效，请重新获取。", "驗證碼已失效，請重新取得。", "The code is over. Please ask for another.")
        case .parameterInvalid:
            LocalizedText(
                "请输入短信中的 \(form.digits) 位数字。", "請輸入簡訊中的 \(form.digits) 位數字。",
                "Please type the \(form.digits) digits of the message.")
        default:
            LocalizedText(
                "短信没有发出，请稍后再试。", "簡訊沒有傳出，請稍後再試。", "The message was not sent. Please try again in a while.")
        }
    }

    private static func wrong(_ triesLeft: Int64) -> LocalizedText {
        guard triesLeft > 0 else {
            return LocalizedText(
                "验证码不对，已不能再试。请重新获取。", "驗證碼不對，已不能再試。請重新取得。",
                "This is not the code, and there is no try left. Please ask for another.")
        }
        return LocalizedText(
            "验证码不对，还可以试 \(triesLeft) 次。", "驗證碼不對，還可以試 \(triesLeft) 次。",
            "This is not the code. \(triesLeft == 1 ? "One try is" : "\(triesLeft) tries are") left.")
    }
}
