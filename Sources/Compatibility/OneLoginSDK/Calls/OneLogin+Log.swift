import Foundation
import OneTapShell

extension OneLogin {
    /// The beginning of every line of the log, as documented: to filter by it.
    static let logMarker = "👁🗨[OneLoginSDK]👁🗨"

    /// Whether every step is written to the console. No number and no credential is in it. Default: NO.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func setLogEnabled(_ enabled: Bool) {
        guard enabled else { return shell.observe(with: nil) }
        shell.observe { print(logMarker, $0) }
    }

    /// Whether every step is written to the console.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func isLogEnabled() -> Bool { shell.isObserved }

    /// The same switch: there is one log.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func setCMLogEnabled(_ enabled: Bool) { setLogEnabled(enabled) }
}
