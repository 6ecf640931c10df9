// swift-format-ignore-file: LineLength

import BenjiPage

extension FaceSentence {
    /// The sentence in simplified Chinese, traditional Chinese and English.
    var text: LocalizedText {
        switch self {
        case .placeFace: LocalizedText("请把脸放进圆圈", "請把臉放進圓圈", "Put your face in the circle")
        case .lookStraight: LocalizedText("请正视镜头", "請正視鏡頭", "Look straight into the camera")
        case .turnLeft: LocalizedText("请慢慢向左转头", "請慢慢向左轉頭", "Turn your head slowly to the left")
        case .turnRight: LocalizedText("请慢慢向右转头", "請慢慢向右轉頭", "Turn your head slowly to the right")
        case .blink: LocalizedText("请闭眼一秒，再睁开", "請閉眼一秒，再睜開", "Close your eyes for a second, then open them")
        case .openMouth: LocalizedText("请张大嘴巴", "請張大嘴巴", "Open your mouth wide")
        case .holdStill: LocalizedText("很好，请保持不动", "很好，請保持不動", "Good. Hold still")
        case .checking: LocalizedText("正在核对…", "正在核對…", "Checking…")
        case .passed: LocalizedText("核对通过", "核對通過", "Done")
        case .tryAgain: LocalizedText("请再试一次", "請再試一次", "Please try again")
        case .noFace: LocalizedText("没有看到人脸", "沒有看到人臉", "No face can be seen")
        case .severalFaces:
            LocalizedText("画面里有多张脸，请只留一人", "畫面裡有多張臉，請只留一人", "There are several faces: only one person, please")
        case .covered: LocalizedText("脸被遮住了，请露出整张脸", "臉被遮住了，請露出整張臉", "Something covers your face: show all of it")
        case .mouthCovered:
            LocalizedText(
                "嘴被遮住了，请摘下口罩，移开手", "嘴被遮住了，請摘下口罩，移開手", "Your mouth is covered: take off the mask, move your hand away")
        case .eyesCovered:
            LocalizedText("眼睛被遮住了，请摘下墨镜", "眼睛被遮住了，請摘下墨鏡", "Your eyes are covered: take off the dark glasses")
        case .halfFace:
            LocalizedText("只看到半张脸，请露出整张脸", "只看到半張臉，請露出整張臉", "Only half of your face is seen: show all of it")
        case .pictureTurned:
            LocalizedText(
                "画面横着或倒着，请把手机拿正", "畫面橫著或倒著，請把手機拿正",
                "The picture lies on its side or upside down: hold the phone upright")
        case .tooSmall: LocalizedText("请靠近一些", "請靠近一些", "Come closer")
        case .turnedAway: LocalizedText("脸偏开了，请看镜头", "臉偏開了，請看鏡頭", "Your face is turned away: look into the camera")
        case .raised: LocalizedText("请不要抬头或低头", "請不要抬頭或低頭", "Do not look up or down")
        case .tilted: LocalizedText("请把头摆正", "請把頭擺正", "Hold your head upright")
        case .tooDark: LocalizedText("光线太暗，请到亮一些的地方", "光線太暗，請到亮一些的地方", "It is too dark: find more light")
        case .tooBright: LocalizedText("光线太亮，请避开强光", "光線太亮，請避開強光", "It is too bright: leave the strong light")
        case .harshLight: LocalizedText("光线太硬，请换柔和的光", "光線太硬，請換柔和的光", "The light is harsh: find softer light")
        case .flatLight: LocalizedText("画面太灰，请换亮一些的光", "畫面太灰，請換亮一些的光", "The picture is pale: find brighter light")
        case .unevenLight: LocalizedText("脸上明暗不均，请面向光源", "臉上明暗不均，請面向光源", "One side is much brighter: turn to the light")
        case .blurred:
            LocalizedText("画面模糊，请拿稳并擦净镜头", "畫面模糊，請拿穩並擦淨鏡頭", "The picture is blurred: hold still, clean the lens")
        case .movementMissing: LocalizedText("没有看到要求的动作", "沒有看到要求的動作", "The movement was not seen")
        case .faceChanged: LocalizedText("中途换了人，请同一人完成", "中途換了人，請同一人完成", "The face changed midway: one person, please")
        case .notLive:
            LocalizedText(
                "请直接面对镜头，不要用照片或屏幕", "請直接面對鏡頭，不要用照片或螢幕", "Face the camera yourself, not with a picture or a screen")
        case .openEyes: LocalizedText("请睁开眼睛", "請睜開眼睛", "Open your eyes")
        case .closeMouth: LocalizedText("请闭上嘴", "請閉上嘴", "Close your mouth")
        case .slower: LocalizedText("请慢一点，再做一次", "請慢一點，再做一次", "More slowly, please: once again")
        case .faceLost:
            LocalizedText("看不到您的脸了，请一直留在圈内", "看不到您的臉了，請一直留在圈內", "Your face left the picture: keep it in the circle")
        case .severalFacesSeen:
            LocalizedText(
                "画面里一直有几张脸，请单独操作", "畫面裡一直有幾張臉，請單獨操作", "Several faces were seen: please be alone in the picture")
        case .unclear:
            LocalizedText(
                "画面一直不够清楚，请到亮处并靠近镜头", "畫面一直不夠清楚，請到亮處並靠近鏡頭",
                "The picture was never clear enough: find more light, come closer")
        case .interrupted: LocalizedText("画面中断了，请让本页一直开着", "畫面中斷了，請讓本頁一直開著", "The video stopped: keep this page open")
        case .jumped: LocalizedText("画面跳动太大，请拿稳手机", "畫面跳動太大，請拿穩手機", "The picture jumped: hold the phone still")
        case .wrongMovement:
            LocalizedText("动作与提示不同，请照提示做", "動作與提示不同，請照提示做", "That was another movement than the one asked for")
        case .still:
            LocalizedText("画面一直不变，请本人面对镜头", "畫面一直不變，請本人面對鏡頭", "The picture never changes: face the camera yourself")
        case .replayed:
            LocalizedText("这些画面以前出现过，请当场操作", "這些畫面以前出現過，請當場操作", "These pictures were shown before: do it live")
        case .picturesWrong: LocalizedText("画面数据不正确", "畫面資料不正確", "The pictures are not as a camera sends them")
        case .attemptOver: LocalizedText("这次核对已经结束，请重新开始", "這次核對已經結束，請重新開始", "This attempt is over: please start again")
        case .slowNetwork:
            LocalizedText("网络太慢，请换一个网络再试", "網路太慢，請換一個網路再試", "The connection is too slow: try another one")
        case .crowded: LocalizedText("现在人太多，请稍后再试", "現在人太多，請稍後再試", "Too many people at once: try again in a moment")
        case .faceUnavailable:
            LocalizedText(
                "这里暂时不能刷脸，请用其他方式登录", "這裡暫時不能刷臉，請用其他方式登入", "Face login is not available here: log in another way")
        case .trouble: LocalizedText("出了问题，请再试一次", "出了問題，請再試一次", "Something went wrong: please try again")
        case .otherPerson: LocalizedText("与账号的人脸不一致", "與帳號的人臉不一致", "This is not the face of the account")
        case .tooLate: LocalizedText("时间到了，请再试一次", "時間到了，請再試一次", "Time is up: try again")
        case .noAttemptsLeft:
            LocalizedText("多次没有通过，请用其他方式登录", "多次沒有通過，請用其他方式登入", "Too many attempts: log in another way")
        case .cameraRefusedTitle: LocalizedText("无法启动相机", "無法啟動相機", "The camera cannot be used")
        case .cameraRefusedPhone:
            LocalizedText(
                "请手动开启相机权限：设置 - 隐私 - 相机，然后打开本应用。您也可以用其他方式登录。", "請手動開啟相機權限：設定 - 隱私權 - 相機，然後打開本應用程式。您也可以用其他方式登入。",
                "Allow the camera in Settings, Privacy, Camera, and switch this app on. You can also log in another "
                    + "way."
            )
        case .cameraRefusedBrowser:
            LocalizedText(
                "请在浏览器地址栏旁允许本页使用相机，然后重试。您也可以用其他方式登录。", "請在瀏覽器網址列旁允許本頁使用相機，然後重試。您也可以用其他方式登入。",
                "Allow the camera for this page beside the browser's address bar, then retry. You can also log in "
                    + "another way."
            )
        case .cameraMissing: LocalizedText("这台设备没有可用的相机", "這台裝置沒有可用的相機", "This device has no camera that can be used")
        case .networkTrouble:
            LocalizedText("网络有问题，请稍后重试", "網路有問題，請稍後重試", "There is trouble with the network: try again later")
        case .accountFrozen: LocalizedText("您的账号已冻结，请联系客服", "您的帳號已凍結，請聯絡客服", "Your account is frozen: ask for help")
        case .accountErased:
            LocalizedText(
                "您的人脸账号已在另一台设备上或由运营方销毁。如不是您本人所为，请联系客服。", "您的人臉帳號已在另一台裝置上或由營運方銷毀。如不是您本人所為，請聯絡客服。",
                "Your face account was erased on another device or by the operator. If it was not you, ask for help.")
        case .cannotGoOn:
            LocalizedText("暂时无法刷脸登录，请用其他方式", "暫時無法刷臉登入，請用其他方式", "Login by face is not possible now: use another way")
        case .loginTitle: LocalizedText("刷脸登录", "刷臉登入", "Log in by face")
        case .bindTitle: LocalizedText("绑定刷脸登录", "綁定刷臉登入", "Set up login by face")
        case .attributesTitle: LocalizedText("人脸属性", "人臉屬性", "Face attributes")
        case .searchTitle: LocalizedText("刷脸识别", "刷臉辨識", "Find me by my face")
        case .captureStart: LocalizedText("开始", "開始", "Start")
        case .profileTitle: LocalizedText("您的名字和头像", "您的名字和頭像", "Your name and picture")
        case .profileHint: LocalizedText("头像可以不设。", "頭像可以不設。", "The picture may be left out.")
        case .name: LocalizedText("名字", "名字", "Name")
        case .nameMissing: LocalizedText("请填写名字", "請填寫名字", "Please enter a name")
        case .portrait: LocalizedText("头像", "頭像", "Picture")
        case .takePicture: LocalizedText("拍一张", "拍一張", "Take a picture")
        case .fromAlbum: LocalizedText("从相册选择", "從相簿選擇", "Choose from album")
        case .consentTitle: LocalizedText("同意使用人脸信息", "同意使用人臉資訊", "Consent to the use of your face")
        case .consentText:
            LocalizedText(
                "为了用脸登录，我们会从相机画面算出一组数字（人脸特征），加密后与您的账号一起保存，只用来确认是您本人。画面本身不保存。您可以随时解除绑定，特征最迟七天后销毁。不同意也能用其他方式登录。",
                "為了用臉登入，我們會從相機畫面算出一組數字（人臉特徵），加密後與您的帳號一起保存，只用來確認是您本人。畫面本身不保存。您可以隨時解除綁定，特徵最遲七天後銷毀。不同意也能用其他方式登入。",
                "To log you in by face we compute a set of numbers (a face template) from the camera's pictures, keep "
                    + "it encrypted with your account, and use it only to make sure that it is you. The pictures are "
                    + "not kept. You can unbind at any time, and the template is destroyed within seven days. Without "
                    + "your consent you can still log in another way."
            )
        case .searchConsentText:
            LocalizedText(
                "为了认出您，我们会从相机画面算出一组数字（人脸特征），与本应用的人脸组里同意被认出的人比对。画面不保存，这组数字最多在内存里留十分钟。认出您不等于登录。不同意也能用其他方式。",
                "為了認出您，我們會從相機畫面算出一組數字（人臉特徵），與本應用程式的人臉組裡同意被認出的人比對。畫面不保存，這組數字最多在記憶體裡留十分鐘。認出您不等於登入。不同意也能用其他方式。",
                "To find out who you are we compute a set of numbers (a face template) from the camera's pictures and "
                    + "compare it with the people in this app's group who agreed to being found. The pictures are not "
                    + "kept, and the numbers stay in memory for ten minutes at most. Being found does not log you in. "
                    + "Without your consent you can still go another way."
            )
        case .consentTick: LocalizedText("我已阅读并同意", "我已閱讀並同意", "I have read and agree to")
        case .consentAgree: LocalizedText("同意", "同意", "I consent")
        case .consentDecline: LocalizedText("不同意", "不同意", "I do not consent")
        case .authorizeTitle: LocalizedText("允许“%@”使用您的账号？", "允許「%@」使用您的帳號？", "Let “%@” use your account?")
        case .authorizeText:
            LocalizedText(
                "该应用会得到您的名字、头像和手机号码，不会得到您的人脸。", "該應用程式會得到您的名字、頭像和手機號碼，不會得到您的人臉。",
                "The app receives your name, picture and phone number. It does not receive your face.")
        case .authorizeAllow: LocalizedText("允许", "允許", "Allow")
        case .authorizeDeny: LocalizedText("不允许", "不允許", "Do not allow")
        case .groupsTitle: LocalizedText("允许“%@”刷脸认出您？", "允許「%@」刷臉認出您？", "Let “%@” find you by your face?")
        case .groupsText:
            LocalizedText(
                "该应用可以把您放进它自己的人脸组，在那里用您的脸认出您。这不会让您登录，也不会把您的人脸交给它。不允许也不影响使用，允许后可以随时退出。",
                "該應用程式可以把您放進它自己的人臉組，在那裡用您的臉認出您。這不會讓您登入，也不會把您的人臉交給它。不允許也不影響使用，允許後可以隨時退出。",
                "The app may put you into a group of its own and find you there by your face. This does not log you "
                    + "in, and the app does not receive your face. Everything else works without it, and you can leave "
                    + "at any time."
            )
        case .next: LocalizedText("下一步", "下一步", "Next")
        case .retry: LocalizedText("重试", "重試", "Retry")
        case .close: LocalizedText("关闭", "關閉", "Close")
        case .otherWay: LocalizedText("用其他方式登录", "用其他方式登入", "Log in another way")
        case .openSettings: LocalizedText("打开设置", "打開設定", "Open Settings")
        }
    }
}
