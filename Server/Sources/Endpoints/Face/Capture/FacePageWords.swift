// swift-format-ignore-file: LineLength

import BenjiFaceTexts
import BenjiPage
import BenjiProtocol

/// Everything that face login's pages say, as data for their scripts: what phones say too, and what only pages need.
enum FacePageWords {
    static let languages: [FaceLanguage] = [.simplifiedChinese, .english, .traditionalChinese]

    /// `{"languages": […], "sentences": {name: […]}}`, safe inside a script element.
    static let json: String = {
        let shared = FaceSentence.allCases.map { sentence in
            JSON.Member(sentence.rawValue, .array(languages.map { .string(sentence.text(in: $0)) }))
        }
        let own = texts.map { JSON.Member($0.0, .array([$0.1, $0.2, $0.3].map { .string($0) })) }
        let json = JSON.object([
            JSON.Member("languages", .array(languages.map { .string($0.rawValue) })),
            JSON.Member("sentences", .object(shared + own)),
        ])
        // `</script>` and `<!--` would end or change the element.
        return json.text.replacing("<", with: "\\u003c")
    }()

    private static let texts: [(String, String, String, String)] = [
        ("trial_title", "试试刷脸", "Try the camera", "試試刷臉"),
        (
            "trial_text", "看看镜头前的检测怎样进行。不需要账号，画面和结果都不保存。",
            "See how the check in front of the camera goes. No account is needed, and neither pictures nor results are kept.",
            "看看鏡頭前的檢測怎樣進行。不需要帳號，畫面和結果都不保存。"
        ),
        (
            "welcome_text", "用脸确认是您本人。第一次使用时，先用本机号码登录。",
            "Your face shows that it is you. The first time, log in with this phone's number.",
            "用臉確認是您本人。第一次使用時，先用本機號碼登入。"
        ),
        ("with_number", "用本机号码登录", "Log in with this phone's number", "用本機號碼登入"),
        ("one_tap", "本机号码一键登录", "Log in with this number", "本機號碼一鍵登入"),
        ("agree", "我已阅读并同意《%@》", "I have read and agree to %@", "我已閱讀並同意《%@》"),
        ("not_mobile", "请用手机数据网络打开本页，再试一次", "Open this page over mobile data and try again", "請用行動數據網路開啟本頁，再試一次"),
        ("log_in_anew", "请用本机号码重新登录", "Please log in with your number again", "請用本機號碼重新登入"),
        ("picture_unreadable", "这张图片无法读取，请换一张", "This picture cannot be read: choose another", "這張圖片無法讀取，請換一張"),
        ("logged_in", "已登录", "You are logged in", "已登入"), ("phone", "手机号码", "Phone number", "手機號碼"),
        ("settings", "设置", "Settings", "設定"), ("log_out", "退出登录", "Log out", "登出"), ("back", "返回", "Back", "返回"),
        (
            "attributes_text", "从一张画面估计，可能不准；不用来判定任何事。",
            "Guessed from one picture and possibly wrong. Nothing is decided by it.", "從一張畫面估計，可能不準；不用來判定任何事。"
        ),
        ("yes", "是", "yes", "是"), ("no", "否", "no", "否"), ("male", "男", "male", "男"), ("female", "女", "female", "女"),
        ("attribute_age", "年龄", "Age", "年齡"), ("attribute_male", "性别", "Gender", "性別"),
        ("attribute_smiling", "微笑", "Smiling", "微笑"), ("attribute_emotions", "表情", "Expression", "表情"),
        ("attribute_orientation", "头部朝向", "Head", "頭部朝向"), ("attribute_blink", "闭眼", "Eyes closed", "閉眼"),
        ("attribute_mouth_open", "张嘴", "Mouth open", "張嘴"), ("attribute_components", "五官位置", "Five points", "五官位置"),
        ("attribute_position", "人脸位置", "Position", "人臉位置"), ("attribute_angry", "生气", "angry", "生氣"),
        ("attribute_calm", "平静", "calm", "平靜"), ("attribute_disgust", "厌恶", "disgusted", "厭惡"),
        ("attribute_happy", "高兴", "happy", "高興"), ("attribute_sad", "悲伤", "sad", "悲傷"),
        ("attribute_surprised", "惊讶", "surprised", "驚訝"), ("attribute_afraid", "害怕", "afraid", "害怕"),
        ("attribute_left_eye", "左眼", "left eye", "左眼"), ("attribute_right_eye", "右眼", "right eye", "右眼"),
        ("attribute_nose", "鼻", "nose", "鼻"), ("attribute_mouth_left", "左嘴角", "left mouth corner", "左嘴角"),
        ("attribute_mouth_right", "右嘴角", "right mouth corner", "右嘴角"), ("attribute_top", "上", "top", "上"),
        ("attribute_left", "左", "left", "左"), ("attribute_right", "右", "right", "右"),
        ("attribute_bottom", "下", "bottom", "下"),
        ("attribute_yaw", "左右", "yaw", "左右"), ("attribute_pitch", "俯仰", "pitch", "俯仰"),
        ("attribute_roll", "倾斜", "roll", "傾斜"),
        ("groups", "人脸组", "Groups", "人臉組"), ("groups_agree", "允许认出我", "Let it find me", "允許認出我"),
        (
            "groups_agreed", "您已允许这个应用在它的人脸组里认出您。", "You have allowed this app to find you in its groups.",
            "您已允許這個應用程式在它的人臉組裡認出您。"
        ),
        (
            "groups_not_agreed", "您没有允许，这个应用不会在它的人脸组里认出您。",
            "You have not allowed it, so this app does not find you in its groups.", "您沒有允許，這個應用程式不會在它的人臉組裡認出您。"
        ),
        ("groups_in", "这个应用把您放进了这些人脸组：", "The app has put you into these groups:", "這個應用程式把您放進了這些人臉組："),
        ("groups_none", "您不在任何人脸组里。", "You are in no group.", "您不在任何人臉組裡。"),
        ("groups_leave", "退出人脸组", "Leave the groups", "退出人臉組"),
        ("groups_withdraw", "退出并收回允许", "Leave, and take my yes back", "退出並收回允許"),
        ("unbind", "解除绑定", "Unbind", "解除綁定"),
        (
            "unbind_text", "解除绑定后，这个应用不再认得您。没有别的应用使用您的账号时，人脸特征、名字和头像最迟七天后销毁。想立即销毁，请选“销毁人脸账号”。",
            "After unbinding this app knows you no more. When no other app uses your account, your face template, name and picture are destroyed within seven days. To destroy them at once, erase your face account.",
            "解除綁定後，這個應用程式不再認得您。沒有別的應用程式使用您的帳號時，人臉特徵、名字和頭像最遲七天後銷毀。想立即銷毀，請選「銷毀人臉帳號」。"
        ),
        ("unbind_sure", "确定解除与这个应用的绑定吗？", "Unbind from this app?", "確定解除與這個應用程式的綁定嗎？"),
        ("erase", "销毁人脸账号", "Erase my face account", "銷毀人臉帳號"),
        (
            "erase_sure", "所有应用都不再认得您，人脸特征、名字和头像立即销毁。确定吗？",
            "No app will know you any more, and your face template, name and picture are destroyed at once. Are you sure?",
            "所有應用程式都不再認得您，人臉特徵、名字和頭像立即銷毀。確定嗎？"
        ),
        ("confirm_title", "再次确认是您本人", "Show once more that it is you", "再次確認是您本人"),
        ("unbound", "已解除绑定", "Unbound", "已解除綁定"),
        (
            "unbound_text", "别的应用仍在使用您的账号，所以人脸特征还在。",
            "Another app still uses your account, so the face template is still there.", "別的應用程式仍在使用您的帳號，所以人臉特徵還在。"
        ),
        (
            "kept_text", "人脸特征、名字和头像七天后销毁。在那之前您仍可用本机号码和人脸登录，重新使用这个账号。",
            "Your face template, name and picture are destroyed in seven days. Until then you can log in again with your number and your face, and keep your account.",
            "人臉特徵、名字和頭像七天後銷毀。在那之前您仍可用本機號碼和人臉登入，繼續使用這個帳號。"
        ),
        ("erased_text", "人脸特征、名字和头像已销毁。", "Your face template, name and picture are destroyed.", "人臉特徵、名字和頭像已銷毀。"),
    ]
}
