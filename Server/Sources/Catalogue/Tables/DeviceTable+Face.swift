import BenjiProtocol

/// Benji's own codes of face login.
extension DeviceTable {
    static func explainCamera(in table: inout TableWriter) {
        table.explain(
            "camera_denied",
            zh: Explanation(
                meaning: "用户没有允许使用相机",
                cause: "系统或浏览器的相机权限被拒绝。",
                remedy: "说明用途，引导到系统设置打开相机；同时保留一键登录。"),
            en: Explanation(
                meaning: "The person does not allow the camera",
                cause: "The system's or the browser's permission was refused.",
                remedy: "Say what it is for and lead to the settings; keep one tap at hand."))
        table.explain(
            "camera_failed",
            zh: Explanation(
                meaning: "相机无法使用",
                cause: "设备没有前置相机，或它被占用、出了故障。",
                remedy: "关闭占用相机的应用后重试，或改用一键登录。"),
            en: Explanation(
                meaning: "The camera does not work",
                cause: "There is none, or it is in use or broken.",
                remedy: "Close what uses it and retry, or log in with one tap."))
    }

    static func explainFace(in table: inout TableWriter) {
        table.explain(
            "face_unavailable",
            zh: Explanation(
                meaning: "本服务器没有刷脸登录",
                cause: "没有安装人脸模型，或配置中没有开启；其他登录不受影响。",
                remedy: "请用户改用一键登录；运营方运行 make face-models，并在配置中打开 face。"),
            en: Explanation(
                meaning: "There is no face login on this server",
                cause: "The models are not installed, or the configuration leaves it off; every other login works.",
                remedy: "Let the person log in with one tap; operators run make face-models and switch face on."))
        table.explain(
            "app_token_invalid",
            zh: Explanation(
                meaning: "AppToken 无效或已过期",
                cause: "凭证到期、服务器不认识，或属于另一台设备的密钥。",
                remedy: "SDK 会自动换取新的 AppToken 并重发一次请求；反复出现时核对 App ID 与密钥。"),
            en: Explanation(
                meaning: "The app token is no good",
                cause: "It has expired, is not known here, or belongs to another device key.",
                remedy: """
                    The SDK fetches a new one and repeats the request once; if that goes on, compare app id and \
                    secret.
                    """))
        table.explain(
            "access_token_expired",
            zh: Explanation(
                meaning: "AccessToken 已过期",
                cause: "授权后的访问令牌过了有效期，账号与授权仍在。",
                remedy: "SDK 用 refreshToken 静默续期；自行对接时先续期再重发。"),
            en: Explanation(
                meaning: "The access token has expired",
                cause: "Its time is over; account and authorisation still stand.",
                remedy: """
                    The SDK renews it silently with the refresh token; whoever speaks the wire renews and repeats.
                    """))
        table.explain(
            "access_token_invalid",
            zh: Explanation(
                meaning: "AccessToken 无效",
                cause: "没有这个访问令牌，或它已因退出登录、续期泄露而作废。",
                remedy: "请用户重新刷脸登录。"),
            en: Explanation(
                meaning: "The access token is not valid",
                cause: """
                    There is no such token, or it was ended by a logout or because an old refresh token was shown \
                    again.
                    """,
                remedy: "Ask the person to log in by face again."))
        table.explain(
            "refresh_token_invalid",
            zh: Explanation(
                meaning: "RefreshToken 无效",
                cause: "已过期、已用过或已作废；重复使用旧的会同时终止访问令牌。",
                remedy: "请用户重新登录；每次续期后只保存最新的一个。"),
            en: Explanation(
                meaning: "The refresh token is not valid",
                cause: """
                    It has expired, was spent or was ended; showing a spent one again also ends the access token.
                    """,
                remedy: "Let the person log in again; keep only the newest one after each renewal."))
        table.explain(
            "not_authorized",
            zh: Explanation(
                meaning: "用户没有授权本应用",
                cause: "账号存在，但用户从未授权，或已在别处解除。",
                remedy: "引导用户登录并授权；不要反复查询。"),
            en: Explanation(
                meaning: "The person has not authorised this app",
                cause: "The account exists, but its holder never let the app know them or has taken that back.",
                remedy: "Lead the person through a login with authorisation; do not keep asking."))
        table.explain(
            "face_session_invalid",
            zh: Explanation(
                meaning: "刷脸会话无效",
                cause: "会话不存在、已完成、已过期，或由另一台设备发起。",
                remedy: "从头开始一次刷脸登录。"),
            en: Explanation(
                meaning: "The face session is not valid",
                cause: "It is unknown, finished, expired, or another device began it.",
                remedy: "Begin anew."))
        table.explain(
            "face_session_incomplete",
            zh: Explanation(
                meaning: "刷脸会话还缺步骤",
                cause: "同意、人脸、资料或授权中有一项尚未完成就提交了。",
                remedy: "按 begin 应答中的 needs 逐项完成后再提交。"),
            en: Explanation(
                meaning: "The face session still lacks something",
                cause: "Consent, face, profile or authorisation was not there when it was to be finished.",
                remedy: "Do everything that needs of the answer to begin lists, then finish."))
        table.explain(
            "remembered_account_invalid",
            zh: Explanation(
                meaning: "本机记住的账号已失效",
                cause: "账号已注销、号码已换主人，或该记录属于另一台设备。",
                remedy: "改用一键登录识别号码，再刷脸。"),
            en: Explanation(
                meaning: "The account that the install remembers is gone",
                cause: "It was erased, the number has a new owner, or the memory belongs to another device.",
                remedy: "Recognise the number by one tap and go on by face."))
        table.explain(
            "account_frozen",
            zh: Explanation(
                meaning: "人脸账号已冻结",
                cause: "账号主人或运营方冻结了账号。",
                remedy: "只有运营方能解冻；应用此时提供其他登录方式。"),
            en: Explanation(
                meaning: "The face account is frozen",
                cause: "Its holder or the operator has frozen it.",
                remedy: "Only the operator thaws it; offer another way to log in meanwhile."))
        table.explain(
            "account_erased",
            zh: Explanation(
                meaning: "人脸账号已销毁",
                cause: "账号主人在另一台设备上、或运营方销毁了账号；since 是时间。",
                remedy: "把时间告诉用户；不是本人所为就联系运营方。要再用人脸登录，先一键登录重新开通。"),
            en: Explanation(
                meaning: "The face account was erased",
                cause: "Its holder on another device, or the operator, has erased it; since says when.",
                remedy: "Tell the person when; if it was not they, let them ask the operator. One tap enrols anew."))
        table.explain(
            "confirmation_needed",
            zh: Explanation(
                meaning: "要先再次确认是本人",
                cause: "冻结、销毁账号和更换 uid，需要五分钟内在这台设备上通过的人脸检测，或一个新的一键登录凭证。",
                remedy: "让用户再刷一次脸（verify），或带上新的 token，然后重试。"),
            en: Explanation(
                meaning: "The person has to be confirmed once more",
                cause:
                    "Freezing, erasing and giving another uid take a face that this device has shown within five minutes, or a "
                    + "fresh one-tap token.",
                remedy: "Let the person show their face again (verify) or send a fresh token, then repeat the request.")
        )
        table.explain(
            "account_bound_elsewhere",
            zh: Explanation(
                meaning: "账号已绑定另一个 uid",
                cause: "该账号在本应用里已经对应另一个用户。",
                remedy: "先用 update-uid 更换，或让用户解除授权后再绑定。"),
            en: Explanation(
                meaning: "The account is tied to another uid",
                cause: "In this app it stands for another user already.",
                remedy: "Replace the uid by update-uid, or let the person cancel the authorisation before binding."))
        table.explain(
            "uid_missing",
            zh: Explanation(
                meaning: "没有传入 uid",
                cause: "绑定需要应用自己的用户编号。",
                remedy: "传入 1 到 128 字节的 uid。"),
            en: Explanation(
                meaning: "The uid is absent",
                cause: "Binding needs the app's own name of its user.",
                remedy: "Pass a uid of 1 to 128 bytes."))
        table.explain(
            "uid_taken",
            zh: Explanation(
                meaning: "uid 已被其他账号占用",
                cause: "本应用的这个用户已绑定另一个人脸账号。",
                remedy: "核对用户编号；确需更换时先解除原绑定。"),
            en: Explanation(
                meaning: "The uid belongs to another account",
                cause: "This user of the app is tied to another face account.",
                remedy: "Check the user's id; to change it, cancel the other authorisation first."))
        table.explain(
            "attributes_denied",
            zh: Explanation(
                meaning: "不能读取人脸属性",
                cause: "没有有效的授权，或应用没有获准读取。",
                remedy: "先完成刷脸登录；更多字段需运营方授予 face-attributes。"),
            en: Explanation(
                meaning: "Face attributes may not be read",
                cause: "There is no valid authorisation, or the app was not granted them.",
                remedy: "Log the person in by face first; operators grant more fields with face-attributes."))
        table.explain(
            "challenge_invalid",
            zh: Explanation(
                meaning: "活体动作编号无效",
                cause: "编号未知、已用过，或属于另一个会话；只认最新的一个。",
                remedy: "重新获取动作并立即拍摄。"),
            en: Explanation(
                meaning: "The challenge is not valid",
                cause: "It is unknown, used, or another session's; only the newest one counts.",
                remedy: "Ask for new steps and film at once."))
        table.explain(
            "challenge_expired",
            zh: Explanation(
                meaning: "活体动作超时",
                cause: "全部画面没有在限定秒数内送达。",
                remedy: "提示用户准备好再开始，并检查上行网速。"),
            en: Explanation(
                meaning: "The challenge has expired",
                cause: "Not all frames arrived within its seconds.",
                remedy: "Let the person get ready first, and look at the upload speed."))
        table.explain(
            "challenge_failed",
            zh: Explanation(
                meaning: "活体检测未通过",
                cause: "允许的次数内没有做出要求的动作。",
                remedy: "提示光线和动作要领；请用户改用一键登录，或稍后重来。"),
            en: Explanation(
                meaning: "The liveness challenge was not passed",
                cause: "The steps were not shown in as many attempts as a session has.",
                remedy: "Explain light and steps; offer one tap, or begin again later."))
        table.explain(
            "picture_invalid",
            zh: Explanation(
                meaning: "图片无法读取",
                cause: "不是 JPEG 或 PNG、已损坏，或像素、字节超出上限。",
                remedy: "发送相机原样输出的普通 JPEG，640×480 左右即可。"),
            en: Explanation(
                meaning: "A picture cannot be read",
                cause: "It is neither JPEG nor PNG, is damaged, or has too many pixels or bytes.",
                remedy: "Send plain JPEG as the camera makes it, about 640 by 480."))
        table.explain(
            "face_not_found",
            zh: Explanation(
                meaning: "没有找到人脸",
                cause: "送来的画面里一张脸也没有。",
                remedy: "提示正对镜头、靠近、补光后再试。"),
            en: Explanation(
                meaning: "No frame shows a face",
                cause: "Nothing in what was sent is a face.",
                remedy: "Ask to look into the camera, come closer and find light, then retry."))
        table.explain(
            "face_differs",
            zh: Explanation(
                meaning: "不是账号主人的脸",
                cause: "与账号的人脸模板不够相似。",
                remedy: "再试一次；仍失败时改用其他登录方式。连续失败会暂停比对。"),
            en: Explanation(
                meaning: "It is not the account holder's face",
                cause: "It is not similar enough to the account's template.",
                remedy: "Try once more, then another way to log in; comparing pauses after several failures."))
        table.explain(
            "number_not_mainland",
            zh: Explanation(
                meaning: "不是中国大陆手机号",
                cause: "应用传入的号码不是 13 到 19 开头的 11 位号码。",
                remedy: "检查传入的号码，或不传。"),
            en: Explanation(
                meaning: "It is no mobile number of mainland China",
                cause: "The number that the app passed is not eleven digits beginning with 13 to 19.",
                remedy: "Correct the number, or pass none."))
        table.explain(
            "group_unknown",
            zh: Explanation(
                meaning: "没有这个人脸集合",
                cause: "编号不对，或集合属于另一个应用。",
                remedy: "先创建集合，再使用返回的编号。"),
            en: Explanation(
                meaning: "There is no such group",
                cause: "The id is wrong, or the group is another app's.",
                remedy: "Create a group and use the id that is answered."))
        table.explain(
            "group_full",
            zh: Explanation(
                meaning: "人脸集合已满",
                cause: "集合的人数，或应用的集合数到了上限。",
                remedy: "删除不用的，或请运营方调高上限。"),
            en: Explanation(
                meaning: "No more fit in",
                cause: "The group holds as many people, or the app has as many groups, as it may.",
                remedy: "Remove what is not needed, or ask the operator to raise the limit."))
        table.explain(
            "open_id_unknown",
            zh: Explanation(
                meaning: "没有这个 openId",
                cause: "没有授权本应用的用户使用它，或用户已解除授权。",
                remedy: "使用登录时返回的 openId，并及时移除已解除的用户。"),
            en: Explanation(
                meaning: "Nobody has this openId",
                cause: "No person who has authorised the app has it, or they have taken that back.",
                remedy: "Use what a login answered, and drop people who have cancelled."))
    }
}
