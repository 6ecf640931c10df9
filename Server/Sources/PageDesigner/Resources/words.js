// The designer's texts, in English and Chinese. Names of fields come with the engine's list, findings with its judge.

const words = {
  title: ["Page designer", "页面设计器"],
  lead: ["A login page, live on every device", "在每种设备上实时预览的登录页"],
  skip: ["To the previews", "跳到预览"],
  new: ["New", "新建"], undo: ["Undo", "撤销"], redo: ["Redo", "重做"], versions: ["Versions", "版本"],
  share: ["Share", "分享"], export: ["Export", "导出"], save: ["Save", "保存"], shop: ["Show in the drawn phone", "在沙箱手机中显示"],
  submit: ["Submit for review", "送审"], submitted: ["Submitted. Page reviews has it.", "已送审，见“页面审核”。"],
  saved: ["Saved.", "已保存。"], notSaved: ["Not saved: {0}", "未保存：{0}"],
  shown: ["The sandbox's shop now has this page.", "沙箱商店现在使用此页面。"],
  openPhone: ["Open the sandbox", "打开沙箱"],
  form: ["Form", "表单"], previews: ["Previews", "预览"], findings: ["Findings", "检查结果"], json: ["JSON", "JSON"],
  panes: ["Parts of the designer", "设计器的部分"],
  search: ["Find a field", "查找字段"], noField: ["No field is called that.", "没有这样的字段。"],
  screens: ["Screens", "屏幕"], carriers: ["Carriers", "运营商"], languages: ["Languages", "语言"],
  modes: ["Light and dark", "深浅色"],
  textSize: ["Size of text", "文字大小"], state: ["State", "状态"], zoom: ["Zoom", "缩放"], what: ["What is shown", "显示内容"],
  small: ["Small phone", "小屏手机"], phone: ["Phone", "手机"], large: ["Large phone", "大屏手机"], side: ["On its side", "横屏"],
  tablet: ["Tablet", "平板"], split: ["Split view", "分屏"],
  mobile: ["China Mobile", "中国移动"], unicom: ["China Unicom", "中国联通"], telecom: ["China Telecom", "中国电信"],
  other: ["Another carrier", "其他运营商"],
  light: ["Light", "浅色"], dark: ["Dark", "深色"],
  first: ["As it appears", "初始"], ticked: ["Ticked", "已勾选"], hint: ["Hint", "提示"], dialog: ["Consent dialog", "确认弹窗"],
  loading: ["Logging in", "登录中"],
  usual: ["Usual text", "标准文字"], bigger: ["Large text (1.5×)", "大字（1.5 倍）"], biggest: ["Largest text (3×)", "最大字（3 倍）"],
  tooMany: ["Only the first {0} of {1} are drawn.", "共 {1} 个，只绘制前 {0} 个。"],
  noTurn: ["This page does not turn to that side.", "此页面不会转到该方向。"],
  keepsRules: ["Keeps every rule, looked at in {0} ways.", "以 {0} 种方式检查，符合所有规则。"],
  counts: ["Errors: {0}, warnings: {1}; looked at in {2} ways", "{0} 个错误，{1} 个警告，共检查 {2} 种方式"],
  error: ["Error", "错误"], warning: ["Warning", "警告"], fix: ["Fix it", "修复"], show: ["Show", "查看"],
  everywhere: ["everywhere", "所有情形"], ways: ["{0} of {1} ways", "{1} 种方式中的 {0} 种"],
  fixed: ["Fixed: {0}", "已修复：{0}"], notFixed: ["That did not help. It is as it was.", "修复未生效，已保持原样。"],
  broken: ["Line {0}, column {1}: {2}", "第 {0} 行第 {1} 列：{2}"], brokenField: ["{0}: {1}", "{0}：{1}"],
  mend: ["Mend the text, or go back to the last description that could be read. Nothing is lost.",
    "请修改文字，或恢复到上一份可读取的描述。内容不会丢失。"],
  goBack: ["Back to the last good one", "恢复上一份"], goThere: ["Go there", "转到该处"], tidy: ["Tidy", "整理"],
  digest: ["Page digest", "页面摘要"], digestNote: ["what is approved and what consents carry", "审核与同意凭证所用的值"],
  copy: ["Copy", "复制"], copied: ["Copied.", "已复制。"], close: ["Close", "关闭"], download: ["Download", "下载"],
  reset: ["Default", "默认"], resetOf: ["Back to the default: {0}", "恢复默认：{0}"], add: ["Add", "添加"],
  remove: ["Remove", "移除"], up: ["Move up", "上移"],
  has: ["Has one", "启用"], lightMode: ["in light mode", "浅色模式"], darkMode: ["in dark mode", "深色模式"],
  value: ["{0} as hex", "{0}（十六进制）"],
  previewPicture: ["Picture for the previews", "预览用图片"], element: ["{0} {1}", "{0} {1}"],
  startTitle: ["Begin a page", "开始一个页面"], fromExample: ["From an example", "从示例开始"],
  fromBrand: ["From a logo and a colour", "从标志和颜色开始"],
  fromNothing: ["From nothing", "从空白开始"], begin: ["Begin", "开始"], brandColor: ["The app's colour", "应用颜色"],
  logoFile: ["Logo (PNG, JPEG, WebP or SVG)", "标志（PNG、JPEG、WebP 或 SVG）"],
  brandNote: ["Every colour is shifted until text on it can be read (4.5:1), in light and dark.",
    "颜色会自动调整，保证深浅色下文字可读（对比度 4.5:1）。"],
  logoNote: ["The picture stays in this browser; put it into the app under the name “logo”.",
    "图片仅保存在此浏览器中；请以“logo”为名放入应用。"],
  full: ["Full screen", "全屏"], popup: ["Card", "卡片"], sheet: ["Sheet from below", "底部弹出"], kind: ["Kind", "类型"],
  startNote: ["Undo brings back what you had.", "可用撤销恢复之前的内容。"],
  shareTitle: ["Share by link", "用链接分享"],
  shareNote: [
    "The page is in the link itself, behind the #. Browsers send that part to nobody. Pictures are not in it.",
    "页面内容在链接 # 之后的部分，浏览器不会发送给任何服务器。图片不包含在内。"],
  shareBad: ["The link holds no page that can be read: {0}", "链接中没有可读取的页面：{0}"],
  shareOpened: ["Opened from a link. Undo brings back what you had.", "已从链接打开。可用撤销恢复之前的内容。"],
  versionsTitle: ["Versions in this browser", "此浏览器中的版本"], versionName: ["Name", "名称"],
  keep: ["Keep this version", "保存当前版本"],
  noVersions: ["None is kept yet.", "尚无版本。"], open: ["Open", "打开"], compare: ["Compare", "比较"],
  current: ["As it is now", "当前"], and: ["with", "与"],
  same: ["The same page.", "页面相同。"], field: ["Field", "字段"], before: ["Before", "之前"], after: ["After", "之后"],
  absent: ["not there", "无"],
  boxes: ["Boxes", "元素"], gained: ["Findings gained", "新增问题"], lost: ["Findings lost", "消除问题"],
  moved: ["moved", "移动"], changed: ["changed", "改变"], added: ["added", "增加"], removed: ["removed", "移除"],
  full_storage: ["The browser keeps no more: {0}", "浏览器无法再保存：{0}"],
  exportTitle: ["Export", "导出"], exportFor: ["For", "用于"], unsaid: ["What it cannot say", "无法表达的内容"],
  saysAll: ["It says everything.", "全部内容均可表达。"],
  ex_json: ["Benji: JSON", "Benji：JSON"], ex_swift: ["Benji SDK: Swift", "Benji SDK：Swift"],
  ex_onelogin: ["OneLogin: OLAuthViewModel", "OneLogin：OLAuthViewModel"],
  ex_geyan: ["GeYan: GyAuthViewModel", "个验：GyAuthViewModel"],
  ex_tyrz: ["China Mobile's TYRZSDK and TYRZLogin", "中国移动 TYRZSDK 与 TYRZLogin"],
  tyrzNote: ["These SDKs take no description: the app draws its page itself. Use the preview as a drawing, hold your " +
    "views to its rules, and read “Pages that the app draws itself” in docs/page.md.",
    "这些 SDK 不接受页面描述，由应用自行绘制页面。请以预览为样图，并遵守相同规则，参见 docs/page.md。"],
  selected: ["{0}: left {1}, top {2}, {3} × {4}", "{0}：左 {1}，上 {2}，{3} × {4}"],
  fixedPlace: ["{0} cannot be moved.", "{0} 不能移动。"],
  canvasHelp: [
    "Click a box or tab to it, then drag it or use the arrow keys. Shift: by 10. Alt: its size. Enter: its fields.",
    "点击或用 Tab 选择元素；拖动或用方向键移动，Shift 移动 10 点，Alt 加方向键改变大小，Enter 转到字段。"],
  noEngine: ["The page engine could not be loaded: {0}", "无法加载页面引擎：{0}"],
  roles: {
    mask: ["Mask", "遮罩"], background: ["Background", "背景"], backgroundImage: ["Background picture", "背景图"],
    backgroundGIF: ["GIF", "动图"], backgroundVideo: ["Film", "视频"],
    navigationBar: ["Navigation bar", "导航栏"], title: ["Title", "标题"], back: ["Back button", "返回按钮"],
    navigationRight: ["View at the right", "右侧视图"], close: ["Close button", "关闭按钮"],
    logo: ["Logo", "标志"], number: ["Number", "号码"], slogan: ["Carrier's line", "运营商标语"],
    login: ["Login button", "登录按钮"], switchAccount: ["Another account", "切换账号"],
    tick: ["Tick", "勾选框"], terms: ["Terms", "条款"], custom: ["App's view", "应用视图"], hint: ["Hint", "提示"],
    loadingMask: ["Loading mask", "等待遮罩"], loading: ["Loading", "等待"],
    dialogMask: ["Behind the dialog", "弹窗遮罩"], dialog: ["Consent dialog", "确认弹窗"],
    dialogTitle: ["Dialog title", "弹窗标题"], dialogTerms: ["Dialog terms", "弹窗条款"], dialogDisagree: ["Disagree", "不同意"],
    dialogAgree: ["Agree", "同意"],
  },
  choices: {
    modal: ["presented", "弹出"], push: ["pushed", "推入"], fullScreen: ["full screen", "全屏"],
    overFullScreen: ["over the full screen", "覆盖全屏"], pageSheet: ["page sheet", "页面式"],
    formSheet: ["form sheet", "表单式"],
    automatic: ["automatic", "自动"], light: ["light", "浅色"], dark: ["dark", "深色"], portrait: ["upright", "竖屏"],
    portraitUpsideDown: ["upside down", "倒置"], landscapeLeft: ["on its left side", "左横屏"],
    landscapeRight: ["on its right side", "右横屏"],
    left: ["left", "左"], center: ["centre", "居中"], right: ["right", "右"], none: ["not at all", "无"],
    horizontal: ["sideways", "横向"], vertical: ["up and down", "纵向"],
    bottom: ["at the bottom", "底部"], topLeft: ["top left", "左上"], topRight: ["top right", "右上"],
    bottomLeft: ["bottom left", "左下"], bottomRight: ["bottom right", "右下"],
    coverVertical: ["from below", "从下方"], flipHorizontal: ["turning", "翻转"], crossDissolve: ["fading", "淡入"],
    custom: ["the app's own", "应用自定义"],
  },
};

/** Index into every pair: 0 English, 1 Chinese. */
let chosen = 0;

export const languageName = () => (chosen === 1 ? "zh" : "en");
export function chooseLanguage(name) { chosen = name === "zh" ? 1 : 0; }

/** The sentence of that name, with the placeholders in braces filled in. */
export function t(name, ...values) {
  const text = words[name]?.[chosen] ?? name;
  return text.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ""));
}
export const roleName = role => words.roles[role]?.[chosen] ?? role;
export const choiceName = word => words.choices[word]?.[chosen] ?? word;
/** The text of something that the engine says in both languages. */
export const said = both => (chosen === 1 ? both.zh : both.en);
