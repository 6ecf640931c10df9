import BenjiPage
import OneTapShell

extension PageProfile {
    /// What an app wrote in `Info.plist`: `documents`, which is meant when nothing is there, or `current`.
    ///
    /// Whatever else is there means the stricter of the two, and is told: a misspelt wish for today's rules must not
    /// leave an app with those of 2019.
    init(written name: String?, warn: (String) -> Void) {
        switch name {
        case nil, Self.documents.rawValue: self = .documents
        case Self.current.rawValue: self = .current
        case let name?:
            self = .current
            warn(
                "\(PageProfileChoice.infoKey) in Info.plist is \"\(name)\", which is no profile of a page that is drawn: "
                    + "write \"documents\" or \"current\"; until then \"current\" holds")
        }
    }
}
