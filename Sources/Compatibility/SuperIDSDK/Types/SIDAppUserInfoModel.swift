public import Foundation

/// An app's data about its user when it lets them log in (1.9). All of it may be left out.
#if canImport(ObjectiveC)
@objc(SIDAppUserInfoModel)
@objcMembers
#endif
public class SIDAppUserInfoModel: NSObject {
    /// A number of mainland China; the account must have it.
    public var phone: String?
    public var name: String?
    public var email: String?
    /// A URL.
    public var avatar: String?
    /// The app's own name for its user, which the login then ties to the account.
    public var appUid: String?
    /// Whatever else fits into JSON of 4 KiB.
    public var otherInfo: [AnyHashable: Any]?

    public override init() {}
}

extension SIDAppUserInfoModel {
    /// The dictionary of the earlier calls.
    var dictionary: [AnyHashable: Any] {
        var dictionary = otherInfo ?? [:]
        for (key, value) in [("name", name), ("email", email), ("avatar", avatar)] {
            if let value { dictionary[key] = value }
        }
        return dictionary
    }
}
