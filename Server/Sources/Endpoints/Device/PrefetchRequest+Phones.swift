import BenjiPolicy
import BenjiProtocol

extension PrefetchRequest {
    /// As a phone sends it, in any dialect that phones speak.
    init(fromPhone json: JSON) throws(JSONError) { try self.init(json, dialects: Dialect.spokenByPhones) }
}

extension SMSCodeRequest {
    /// As a phone sends it, in any dialect that phones speak.
    init(fromPhone json: JSON) throws(JSONError) { try self.init(json, dialects: Dialect.spokenByPhones) }
}

extension SMSLoginRequest {
    /// As a phone sends it, in any dialect that phones speak.
    init(fromPhone json: JSON) throws(JSONError) { try self.init(json, dialects: Dialect.spokenByPhones) }
}

extension SMSUpstreamRequest {
    /// As a phone sends it, in any dialect that phones speak.
    init(fromPhone json: JSON) throws(JSONError) { try self.init(json, dialects: Dialect.spokenByPhones) }
}

extension SMSUpstreamLoginRequest {
    /// As a phone sends it, in any dialect that phones speak.
    init(fromPhone json: JSON) throws(JSONError) { try self.init(json, dialects: Dialect.spokenByPhones) }
}
