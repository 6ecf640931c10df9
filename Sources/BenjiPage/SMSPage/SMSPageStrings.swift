/// The texts of the page of a login by SMS.
enum SMSPageStrings {
    static let title = LocalizedText("短信验证码登录", "簡訊驗證碼登入", "Log in by SMS code")
    static let number = LocalizedText("手机号码", "手機號碼", "Phone number")
    static let code = LocalizedText("验证码", "驗證碼", "Code")
    static let send = LocalizedText("获取验证码", "取得驗證碼", "Send code")
    static let again = LocalizedText("重新获取", "重新取得", "Send again")
    static let logIn = LocalizedText("登录", "登入", "Log in")

    static func wait(_ seconds: Int) -> LocalizedText {
        let number = String(seconds)
        return LocalizedText(number + " 秒后重发", number + " 秒後重發", "Again in " + number + " s")
    }

    static let codeSent = LocalizedText("验证码已发送，请查看短信", "驗證碼已傳送，請查看簡訊", "The code is on its way by SMS")
    static let numberMissing = LocalizedText("请输入正确的手机号码", "請輸入正確的手機號碼", "Enter a complete phone number")
    static let codeNotSent = LocalizedText("请先获取验证码", "請先取得驗證碼", "Tap Send code first")

    static func codeMissing(_ digits: Int) -> LocalizedText {
        let number = String(digits)
        return LocalizedText(
            "请输入 " + number + " 位验证码", "請輸入 " + number + " 位驗證碼", "Enter the " + number + " digits of the code")
    }

    static func codeWrong(_ left: Int?) -> LocalizedText {
        guard let left else { return LocalizedText("验证码不正确，请重新输入", "驗證碼不正確，請重新輸入", "Wrong code. Try again.") }
        let number = String(left)
        return LocalizedText(
            "验证码不正确，还可尝试 " + number + " 次", "驗證碼不正確，還可嘗試 " + number + " 次",
            "Wrong code. Tries left: " + number)
    }

    static func refused(_ refusal: SMSPageRefusal) -> LocalizedText {
        switch refusal {
        case .numberMalformed: numberMissing
        case .numberNotServed:
            LocalizedText(
                "该号码暂不能用短信登录，请换用其他方式", "該號碼暫不能用簡訊登入，請改用其他方式", "This number cannot log in by SMS; use another way")
        case .codeWrong: codeWrong(nil)
        case .codeExpired:
            LocalizedText("验证码已失效，请重新获取", "驗證碼已失效，請重新取得", "This code has expired. Send a new one.")
        case .triesExceeded:
            LocalizedText("错误次数过多，请重新获取验证码", "錯誤次數過多，請重新取得驗證碼", "Too many wrong codes. Send a new one.")
        case .tooManyCodes:
            LocalizedText(
                "该号码获取验证码次数过多，请改天再试或换用其他方式", "此號碼取得驗證碼的次數過多，請改天再試或改用其他方式",
                "This number got too many codes. Try another day or another way.")
        case .tooManyRequests: LocalizedText("操作过于频繁，请稍后再试", "操作過於頻繁，請稍後再試", "Too many requests; try again later")
        case .notSent: LocalizedText("短信发送失败，请稍后再试", "簡訊傳送失敗，請稍後再試", "The message could not be sent; try again later")
        case .noConnection:
            LocalizedText("网络连接失败，请检查网络后重试", "網路連線失敗，請檢查網路後重試", "No connection; check the network and try again")
        case .unavailable:
            LocalizedText("服务暂时不可用，请稍后再试", "服務暫時無法使用，請稍後再試", "The service is not available; try again later")
        }
    }
}
