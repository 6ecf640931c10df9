public import Foundation
import OneTapShell

/// What ``GeYanSdk`` and ``GyOneLoginPro`` have in common: the calls about a page that is shown. Apps call it on those.
#if canImport(ObjectiveC)
@objc(GeYanPage)
#endif
public class GeYanPage: NSObject {
    class var shell: OneTapShell { .of(.geYan) }
}
