import BenjiPage

/// The words of the page about an app's bills.
extension ConsoleStrings {
    /// The label of an answer's result in the ledger.
    static func result(_ result: String) -> LocalizedText {
        switch result {
        case "released": LocalizedText("给出号码", "number released")
        case "released-without-page": LocalizedText("不经页面给出号码", "number released without a page")
        case "matched": LocalizedText("是本机号码", "it is the number")
        case "differs": LocalizedText("不是本机号码", "it is another number")
        case "recognised": LocalizedText("刷脸登录背后的号码", "number behind a login by face")
        case "sent": LocalizedText("发出短信验证码", "code sent by SMS")
        case "answered": LocalizedText("SIM 更换日期", "date of a SIM")
        default: LocalizedText(result)
        }
    }

    static let books: [String: LocalizedText] = [
        "books": LocalizedText("合同与账单", "Contract and bills"),
        "month": LocalizedText("月份", "Month"),
        "show": LocalizedText("查看", "Show"),
        "statement": LocalizedText("对账单", "Statement"),
        "answersWord": LocalizedText("次答复", "answers"),
        "csv": LocalizedText("下载 CSV", "Download as CSV"),
        "notReconciled": LocalizedText(
            "账本的行数和计数不一致，请联系运营者。", "The ledger's lines and the count of quotas differ. Tell the operator."),
        "interface": LocalizedText("接口", "Interface"),
        "result": LocalizedText("结果", "Result"),
        "answers": LocalizedText("次数", "Answers"),
        "noAnswers": LocalizedText("这个月没有答复。", "No answers in this month."),
        "contract": LocalizedText("合同", "Contract"),
        "nextTerms": LocalizedText("接下来的条款", "Terms that come next"),
        "noContract": LocalizedText("没有合同，答复不收费。", "No contract: answers are free."),
        "freeADay": LocalizedText("每天最多", "At most a day:"),
        "agree": LocalizedText("签订新条款", "Agree on new terms"),
        "agreeNote": LocalizedText(
            "自生效日起取代之前的条款。没有填的单价不收费，没有填的限额不限。",
            "They take the place of those before from their first day on. An answer without a rate is free, and "
                + "without a limit there is none."
        ),
        "rate": LocalizedText("单价：", "Rate:"),
        "reference": LocalizedText("合同编号", "Reference"),
        "currency": LocalizedText("币种", "Currency"),
        "from": LocalizedText("生效日", "From"),
        "until": LocalizedText("截止日", "Until"),
        "dailyLimit": LocalizedText("每天上限", "Answers a day"),
        "monthlyLimit": LocalizedText("每月上限", "Answers a month"),
        "dailyLimitPerNumber": LocalizedText("每个号码每天上限", "Tokens a day for one number"),
        "endContract": LocalizedText("终止合同", "End the contract"),
        "lastDay": LocalizedText("最后一天（不填为今天）", "Last day (today if empty)"),
        "ledger": LocalizedText("账本最近的行", "Latest lines of the ledger"),
    ]
}
