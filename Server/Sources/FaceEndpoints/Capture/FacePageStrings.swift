// swift-format-ignore-file: LineLength

import BenjiFaceTexts
import BenjiPage
import BenjiProtocol
import Endpoints

/// Everything that face login's pages say, as data for their scripts: what phones say too, and what only pages need.
enum FacePageStrings {
    static let languages: [Language] = [.simplifiedChinese, .english, .traditionalChinese]

    /// `{"languages": […], "sentences": {name: […]}}`, safe inside a script element.
    static let json: String = {
        let shared = FaceSentence.allCases.map { sentence in
            JSON.Member(sentence.rawValue, .array(languages.map { .string(sentence.text(in: $0)) }))
        }
        let own = texts.map { name, text in JSON.Member(name, .array(languages.map { .string(text[$0]) })) }
        let json = JSON.object([
            JSON.Member("languages", .array(languages.map { .string($0.rawValue) })),
            JSON.Member("sentences", .object(shared + own)),
        ])
        // `</script>` and `<!--` would end or change the element.
        return json.text.replacing("<", with: "\\u003c")
    }()

    private static let texts: [(String, LocalizedText)] = [
        ("trial_title", LocalizedText("试试刷脸", "試試刷臉", "Try the camera")),
        (
            "trial_text",
            LocalizedText(
                "看看镜头前的检测怎样进行。不需要账号，画面和结果都不保存。", "看看鏡頭前的檢測怎樣進行。不需要帳號，畫面和結果都不保存。",
                "See how the check in front of the camera goes. No account is needed, and neither pictures nor results "
                    + "are kept."
            )
        ),
        (
            "welcome_text",
            LocalizedText(
                "用脸确认是您本人。第一次使用时，先用本机号码登录。", "用臉確認是您本人。第一次使用時，先用本機號碼登入。",
                "Your face shows that it is you. The first time, log in with this phone's number.")
        ),
        ("with_number", LocalizedText("用本机号码登录", "用本機號碼登入", "Log in with this phone's number")),
        ("one_tap", LocalizedText("本机号码一键登录", "本機號碼一鍵登入", "Log in with this number")),
        ("agree", LocalizedText("我已阅读并同意《%@》", "我已閱讀並同意《%@》", "I have read and agree to %@")),
        (
            "not_mobile",
            LocalizedText("请用手机数据网络打开本页，再试一次", "請用行動數據網路開啟本頁，再試一次", "Open this page over mobile data and try again")
        ),
        ("log_in_anew", LocalizedText("请用本机号码重新登录", "請用本機號碼重新登入", "Please log in with your number again")),
        (
            "picture_unreadable",
            LocalizedText("这张图片无法读取，请换一张", "這張圖片無法讀取，請換一張", "This picture cannot be read: choose another")
        ),
        ("logged_in", LocalizedText("已登录", "已登入", "You are logged in")),
        ("phone", LocalizedText("手机号码", "手機號碼", "Phone number")),
        ("settings", LocalizedText("设置", "設定", "Settings")), ("log_out", LocalizedText("退出登录", "登出", "Log out")),
        ("back", LocalizedText("返回", "返回", "Back")),
        (
            "attributes_text",
            LocalizedText(
                "从一张画面估计，可能不准；不用来判定任何事。", "從一張畫面估計，可能不準；不用來判定任何事。",
                "Guessed from one picture and possibly wrong. Nothing is decided by it.")
        ),
        ("yes", LocalizedText("是", "是", "yes")), ("no", LocalizedText("否", "否", "no")),
        ("male", LocalizedText("男", "男", "male")), ("female", LocalizedText("女", "女", "female")),
        ("attribute_age", LocalizedText("年龄", "年齡", "Age")), ("attribute_male", LocalizedText("性别", "性別", "Gender")),
        ("attribute_smiling", LocalizedText("微笑", "微笑", "Smiling")),
        ("attribute_emotions", LocalizedText("表情", "表情", "Expression")),
        ("attribute_orientation", LocalizedText("头部朝向", "頭部朝向", "Head")),
        ("attribute_blink", LocalizedText("闭眼", "閉眼", "Eyes closed")),
        ("attribute_mouth_open", LocalizedText("张嘴", "張嘴", "Mouth open")),
        ("attribute_components", LocalizedText("五官位置", "五官位置", "Five points")),
        ("attribute_position", LocalizedText("人脸位置", "人臉位置", "Position")),
        ("attribute_angry", LocalizedText("生气", "生氣", "angry")),
        ("attribute_calm", LocalizedText("平静", "平靜", "calm")),
        ("attribute_disgust", LocalizedText("厌恶", "厭惡", "disgusted")),
        ("attribute_happy", LocalizedText("高兴", "高興", "happy")), ("attribute_sad", LocalizedText("悲伤", "悲傷", "sad")),
        ("attribute_surprised", LocalizedText("惊讶", "驚訝", "surprised")),
        ("attribute_afraid", LocalizedText("害怕", "害怕", "afraid")),
        ("attribute_left_eye", LocalizedText("左眼", "左眼", "left eye")),
        ("attribute_right_eye", LocalizedText("右眼", "右眼", "right eye")),
        ("attribute_nose", LocalizedText("鼻", "鼻", "nose")),
        ("attribute_mouth_left", LocalizedText("左嘴角", "左嘴角", "left mouth corner")),
        ("attribute_mouth_right", LocalizedText("右嘴角", "右嘴角", "right mouth corner")),
        ("attribute_top", LocalizedText("上", "上", "top")),
        ("attribute_left", LocalizedText("左", "左", "left")), ("attribute_right", LocalizedText("右", "右", "right")),
        ("attribute_bottom", LocalizedText("下", "下", "bottom")),
        ("attribute_yaw", LocalizedText("左右", "左右", "yaw")), ("attribute_pitch", LocalizedText("俯仰", "俯仰", "pitch")),
        ("attribute_roll", LocalizedText("倾斜", "傾斜", "roll")),
        ("groups", LocalizedText("人脸组", "人臉組", "Groups")),
        ("groups_agree", LocalizedText("允许认出我", "允許認出我", "Let it find me")),
        (
            "groups_agreed",
            LocalizedText(
                "您已允许这个应用在它的人脸组里认出您。", "您已允許這個應用程式在它的人臉組裡認出您。", "You have allowed this app to find you in its groups.")
        ),
        (
            "groups_not_agreed",
            LocalizedText(
                "您没有允许，这个应用不会在它的人脸组里认出您。", "您沒有允許，這個應用程式不會在它的人臉組裡認出您。",
                "You have not allowed it, so this app does not find you in its groups.")
        ),
        ("groups_in", LocalizedText("这个应用把您放进了这些人脸组：", "這個應用程式把您放進了這些人臉組：", "The app has put you into these groups:")),
        ("groups_none", LocalizedText("您不在任何人脸组里。", "您不在任何人臉組裡。", "You are in no group.")),
        ("groups_leave", LocalizedText("退出人脸组", "退出人臉組", "Leave the groups")),
        ("groups_withdraw", LocalizedText("退出并收回允许", "退出並收回允許", "Leave, and take my yes back")),
        ("unbind", LocalizedText("解除绑定", "解除綁定", "Unbind")),
        (
            "unbind_text",
            LocalizedText(
                "解除绑定后，这个应用不再认得您。没有别的应用使用您的账号时，人脸特征、名字和头像最迟七天后销毁。想立即销毁，请选“销毁人脸账号”。",
                "解除綁定後，這個應用程式不再認得您。沒有別的應用程式使用您的帳號時，人臉特徵、名字和頭像最遲七天後銷毀。想立即銷毀，請選「銷毀人臉帳號」。",
                "After unbinding this app knows you no more. When no other app uses your account, your face template, "
                    + "name and picture are destroyed within seven days. To destroy them at once, erase your face "
                    + "account."
            )
        ),
        ("unbind_sure", LocalizedText("确定解除与这个应用的绑定吗？", "確定解除與這個應用程式的綁定嗎？", "Unbind from this app?")),
        ("erase", LocalizedText("销毁人脸账号", "銷毀人臉帳號", "Erase my face account")),
        (
            "erase_sure",
            LocalizedText(
                "所有应用都不再认得您，人脸特征、名字和头像立即销毁。确定吗？", "所有應用程式都不再認得您，人臉特徵、名字和頭像立即銷毀。確定嗎？",
                "No app will know you any more, and your face template, name and picture are destroyed at once. Are "
                    + "you sure?"
            )
        ),
        ("confirm_title", LocalizedText("再次确认是您本人", "再次確認是您本人", "Show once more that it is you")),
        ("unbound", LocalizedText("已解除绑定", "已解除綁定", "Unbound")),
        (
            "unbound_text",
            LocalizedText(
                "别的应用仍在使用您的账号，所以人脸特征还在。", "別的應用程式仍在使用您的帳號，所以人臉特徵還在。",
                "Another app still uses your account, so the face template is still there.")
        ),
        (
            "kept_text",
            LocalizedText(
                "人脸特征、名字和头像七天后销毁。在那之前您仍可用本机号码和人脸登录，重新使用这个账号。", "人臉特徵、名字和頭像七天後銷毀。在那之前您仍可用本機號碼和人臉登入，繼續使用這個帳號。",
                "Your face template, name and picture are destroyed in seven days. Until then you can log in again "
                    + "with your number and your face, and keep your account."
            )
        ),
        (
            "erased_text",
            LocalizedText("人脸特征、名字和头像已销毁。", "人臉特徵、名字和頭像已銷毀。", "Your face template, name and picture are destroyed.")
        ),
    ]
}
