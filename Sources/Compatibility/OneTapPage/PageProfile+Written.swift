import BenjiPage
import OneTapShell

extension PageProfile {
    /// The profile that an app set in `Info.plist`: `documents`, which is the default, or `current`.
    ///
    /// Any other value means the stricter of the two, and is reported. A misspelt wish for today's rules must not leave
    /// an app with those of 2019.
    init(written name: String?, warn: (String) -> Void) {
        switch name {
        case nil, Self.documents.rawValue: self = .documents
        case Self.current.rawValue: self = .current
        case let name?:
            self = .current
            warn(
                "\(PageProfileChoice.infoKey) in Info.plist is \"\(name)\", which is no profile of a page that is "
                    + "drawn: "
                    + "write \"documents\" or \"current\"; until then \"current\" holds")
        }
    }
}
