import BenjiProtocol
import Requests
package import Store

extension AppRecord {
    /// The name as people read it; the id if the name shows nothing. A name that an earlier version took may hold
    /// characters that are refused now.
    package var shownName: String { Self.shownName(name, of: id.rawValue) }

    /// The same of an app that is not at hand as a record.
    package static func shownName(_ name: String, of id: String) -> String {
        let name = name.printable
        return name.allSatisfy(\.isWhitespace) ? id : name
    }
}
