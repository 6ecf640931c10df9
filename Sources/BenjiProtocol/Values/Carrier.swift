/// A carrier of mainland China whose subscribers can log in by their own number.
///
/// Which carrier a phone belongs to is the gateway's word, never the phone's (decision 7). Each dialect writes a
/// carrier in its own way: document 000 counts mobile, unicom, telecom as 1, 2, 3, document 001 as 0, 2, 1.
public enum Carrier: String, Sendable, Codable, CaseIterable, Hashable {
    /// 中国移动, China Mobile.
    case mobile
    /// 中国联通, China Unicom.
    case unicom
    /// 中国电信, China Telecom.
    case telecom
}
