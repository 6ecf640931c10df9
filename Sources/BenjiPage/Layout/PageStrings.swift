/// The spoken names of controls without text.
enum PageStrings {
    static let back = LocalizedText("返回", "返回", "Back")
    static let close = LocalizedText("关闭", "關閉", "Close")
    static let logo = LocalizedText("应用图标", "應用圖示", "App icon")
    static let tick = LocalizedText("同意条款", "同意條款", "Agree to the terms")
    static let loading = LocalizedText("正在登录", "正在登入", "Logging in")
}
