public import Foundation
import OneTapShell

/// The calls about a page that is shown, for ``GeYanSdk`` and ``GyOneLoginPro``. Apps call them on those.
#if canImport(ObjectiveC)
@objc(GeYanPage)
#endif
public class GeYanPage: NSObject {
    class var shell: OneTapShell { .of(.geYan) }
}
