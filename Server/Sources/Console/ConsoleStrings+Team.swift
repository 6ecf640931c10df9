import BenjiPage
import BenjiProtocol

/// The words of an app's page about its people.
extension ConsoleStrings {
    static let team: [String: LocalizedText] = [
        "team": LocalizedText("团队", "Team"),
        "teamPeople": LocalizedText("谁在开发这个应用", "Who works on this app"),
        "teamNote": LocalizedText(
            "他们权限相同。运营者、客服和审计看得到所有应用，不列在这里。",
            "All of them may do the same. Operators, support and auditors see every app and are not listed."),
        "noTeam": LocalizedText("没有开发者。", "No developer has it."),
        "lastHere": LocalizedText("最近登录", "Last sign-in"),
        "neverHere": LocalizedText("从未", "never"),
        "you": LocalizedText("（您）", "(you)"),
        "team-active": LocalizedText("可登录", "can sign in"),
        "team-invited": LocalizedText("已邀请，未接受", "invited, not accepted"),
        "team-ended": LocalizedText("已结束", "ended"),
        "takeOff": LocalizedText("移出", "Take off"),
        "takeOffNote": LocalizedText(
            "立即看不到这个应用。账号和其他应用不变。他们见过的密钥要另行换新。",
            "They see this app no more, at once. Their account and other apps stay. Keys that they have seen are "
                + "changed separately."
        ),
        "leave": LocalizedText("离开", "Leave"),
        "leaveNote": LocalizedText(
            "您立即看不到这个应用；要回来，须由同事或运营者添加。",
            "You see this app no more, at once. A colleague or an operator can add you again."),
        "inviteNew": LocalizedText("邀请新同事", "Invite somebody new"),
        "inviteNewNote": LocalizedText(
            "只能看到这个应用。用户名：小写字母、数字、点、连字符和下划线；后面会加上五个字符。期限不超过您自己的。",
            "They get this app alone. User name: lower-case letters, digits, dots, hyphens and underscores; five "
                + "characters are put behind it. It ends no later than your own."
        ),
        "inviteWaits": LocalizedText(
            "运营者允许这个应用之后，才能邀请新同事。", "You can invite people once an operator has allowed the app."),
        "inviteButton": LocalizedText("邀请", "Invite"),
        "inviteSend": LocalizedText(
            "把这些交给您的同事，邀请码不要发到公开的地方：谁先使用，账号就是谁的。",
            "Hand these to your colleague, the invitation in private: whoever uses it first has the account."),
        "inviteAt": LocalizedText("在这里填入", "To be entered at"),
        "addColleague": LocalizedText("添加已有的同事", "Add a colleague"),
        "addColleagueNote": LocalizedText(
            "您其他应用的同事。", "People of your other apps."),
        "noColleagues": LocalizedText(
            "您的其他应用没有别的同事。", "Your other apps have nobody who is not here already."),
        "addDeveloperNote": LocalizedText(
            "任何一位开发者，名称见“人员”。", "Any developer; People has their names."),
        "addButton": LocalizedText("添加", "Add"),
    ]
}
