import BenjiPolicy
import BenjiProtocol

extension PrefetchRequest {
    /// As a phone sends it, in any dialect that phones speak.
    init(fromPhone json: JSON) throws(JSONError) { try self.init(json, dialects: Dialect.spokenByPhones) }
}
