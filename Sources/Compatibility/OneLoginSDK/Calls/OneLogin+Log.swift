import BenjiClient
import Foundation
import OneTapShell

extension OneLogin {
    /// What every line of the log begins with, as documented: to filter by it.
    static let logMarker = "👁🗨[OneLoginSDK]👁🗨"

    private static let isLogging = Locked(false)

    /// Whether every step is written to the console. No number and no credential is in it. Default: NO.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func setLogEnabled(_ enabled: Bool) {
        isLogging.withLock { $0 = enabled }
        guard enabled else { return shell.observe(with: nil) }
        shell.observe { print(logMarker, $0) }
    }

    /// Whether every step is written to the console.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func isLogEnabled() -> Bool { isLogging.withLock { $0 } }

    /// The same switch: there is one log.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func setCMLogEnabled(_ enabled: Bool) { setLogEnabled(enabled) }
}
