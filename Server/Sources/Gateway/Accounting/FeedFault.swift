import BenjiProtocol

/// Why a packet of a configured NAS makes no phone known: it is refused, or it is answered and lacks something.
///
/// Each is a value of the metric `benji_gateway_feed_faults_total{reason}`. Packets that are in order have no fault.
package enum FeedFault: Sendable, Hashable {
    /// It is not answered.
    case dropped(DropReason)
    /// A session begins without Calling-Station-Id.
    case noNumber
    /// Calling-Station-Id is not a mobile number of `nas.*.country`.
    case unusableNumber
    /// `nas.*.numbers` and `nas.*.excluded-numbers` do not let the number log in.
    case excludedNumber
    /// The register has the number with another carrier, or with a newer SIM. Counts once a session.
    case notRegistered
    /// A session begins without Framed-IP-Address and Framed-IPv6-Prefix.
    case noAddress
    /// A NAT reports ports of an inside address that no session holds.
    case noSession
    /// It has no Event-Timestamp, and `nas.*.event-timestamp` is optional.
    case undated
    /// Event-Timestamp of a Start, Interim-Update, Accounting-On or Accounting-Off is too far behind our clock: no
    /// session begins with it.
    case clockBehind
    /// Acct-Status-Type concerns no session.
    case otherStatus
    /// The certificate of a connection over TLS has expired, or is not valid yet.
    case certificateExpired

    /// The metric's word.
    package var reason: String {
        switch self {
        case .dropped(let reason): reason.rawValue
        case .noNumber: "no_number"
        case .unusableNumber: "unusable_number"
        case .excludedNumber: "excluded_number"
        case .notRegistered: "not_registered"
        case .noAddress: "no_address"
        case .noSession: "no_session"
        case .undated: "undated"
        case .clockBehind: "clock_behind"
        case .otherStatus: "other_status"
        case .certificateExpired: "certificate_expired"
        }
    }

    /// Whether the packets with this fault show that the NAS is configured wrongly.
    ///
    /// A forged or damaged packet shows nothing, and some sessions are not those of phones. So there must be three, and
    /// half of the whole, or ten that are more than a fifth of it. A fault that counts once a session is compared with
    /// the sessions, another with the packets.
    /// - Parameters:
    ///   - before: the counts at the beginning of the time that is judged.
    ///   - sessions: how many sessions of the NAS are held.
    func isConspicuous(in counts: FeedCounts, since before: FeedCounts, sessions: Int) -> Bool {
        let total = counts.faults[self]?.count ?? 0
        let count = total - (before.faults[self]?.count ?? 0)
        func isShare(of whole: Int) -> Bool {
            count >= Self.fewest && (count * 2 >= whole || count >= 10 && count * 5 > whole)
        }
        switch self {
        // The private key of the certificate proves the NAS.
        case .certificateExpired: return count > 0
        // In order with a NAS that makes phones known.
        case .excludedNumber: return count >= Self.fewest && counts.named == 0 && sessions <= total
        case .otherStatus: return count >= Self.fewest && counts.named == 0 && sessions == 0
        case .noNumber, .unusableNumber, .notRegistered, .noSession:
            return isShare(of: counts.named - before.named + count)
        case .dropped, .noAddress, .undated, .clockBehind:
            return isShare(of: counts.taken + counts.refused - before.taken - before.refused)
        }
    }

    /// Fewer packets show nothing.
    private static let fewest = 3

    /// The problem and the remedy, for the operator; `nil` if the cause is neither the NAS nor its settings.
    /// - Parameter last: the packet of this fault that came last.
    func explanation(for nas: NetworkAccessServer, last: FeedFaultCount) -> String? {
        let setting = "nas.\(nas.name)"
        return switch self {
        case .dropped(let reason): reason.explanation(for: nas, last: last)
        case .noNumber:
            "sessions begin without Calling-Station-Id; let the NAS send the number in attribute 31, and let proxies "
                + "keep the attribute"
        case .unusableNumber:
            "Calling-Station-Id is not a mobile number of \(nas.country) in \(nas.numberForm.rawValue) form; let "
                + "the NAS send the MSISDN, or correct \(setting).country and \(setting).number-form"
        case .excludedNumber:
            "\(setting).numbers and \(setting).excluded-numbers let none of its numbers log in; correct them"
        case .notRegistered:
            "the register has its numbers with another carrier or a newer SIM; correct \(setting).carrier "
                + "(\(nas.carrier.rawValue)), or move a number with benji phone port"
        case .noAddress:
            "sessions begin without an address; let the NAS send Framed-IP-Address (attribute 8) or Framed-IPv6-Prefix "
                + "(attribute 97)"
        case .noSession:
            "it reports ports of inside addresses that no session holds; let \(setting).domain and "
                + "\(setting).public-domain name the domains of the NAS that begins the sessions"
        case .undated: DropReason.untimed.explanation(for: nas, last: last)
        case .clockBehind where last.clockAhead == nil:
            "its packets waited, as Acct-Delay-Time reports, until no session begins with them; look for an outage or "
                + "a proxy that stores packets. Sessions begin with the next Interim-Update"
        case .clockBehind: Self.clock("behind", last)
        case .otherStatus:
            "it reports no sessions; let it send Start, Interim-Update and Stop (Acct-Status-Type 1, 3 and 2)"
        case .certificateExpired: "its certificate has expired or is not valid yet; renew it"
        }
    }

    fileprivate static func clock(_ direction: String, _ last: FeedFaultCount) -> String {
        let distance = time(last.clockAhead.map { abs($0) } ?? 0)
        return
            "Event-Timestamp is \(distance) \(direction) our clock; the attribute counts in UTC, and local time "
            + "sent as UTC is the usual cause: set clock and time zone of the NAS"
    }

    /// Seconds, in the unit that shows a time zone.
    private static func time(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\((seconds + 30) / 60) min"
        case ..<259_200:
            let tenths = (seconds + 180) / 360
            return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") h"
        default: return "\((seconds + 43_200) / 86_400) days"
        }
    }
}

extension DropReason {
    /// ``FeedFault/explanation(for:last:)`` of a packet that is not answered.
    fileprivate func explanation(for nas: NetworkAccessServer, last: FeedFaultCount) -> String? {
        let setting = "nas.\(nas.name)"
        let error = last.error.map { "\($0)" }
        return switch self {
        case .badAuthenticator:
            if let error {
                "\(error); let the NAS make Message-Authenticator with \(setting).secret as RFC 2869 §5.14 defines it"
            } else if nas.certificates.isEmpty {
                "its shared secret is not the one in \(setting).secret; set the same on both sides"
            } else {
                "its shared secret is not radsec, as RFC 6614 §2.3 requires over TLS; set it on the NAS"
            }
        case .malformed:
            "\(error ?? "its bytes are not RADIUS packets"); let the NAS, or the proxy before it, keep to RFC 2865 §3"
        case .invalid:
            "\(error ?? "its packets lack an attribute"); let the NAS, or the proxy before it, send the attribute as "
                + "its RFC defines it"
        case .unexpectedCode:
            "it sends other packets than accounting; let it send only Accounting-Request and Status-Server to this port"
        case .rateLimited:
            "it sends more than \(nas.rateLimit) packets a second; raise \(setting).rate if it has so many phones"
        case .outsidePools: "it announces addresses outside its pools; add them to \(setting).pools if they are its own"
        case .clock: FeedFault.clock("ahead of", last)
        case .untimed: "its packets have no Event-Timestamp; let it send attribute 55 in every packet"
        case .proxyLoop:
            "its packets have more Proxy-States than proxies add on one way; look for proxies that form a circle"
        // The log and the readiness check name these by messages of their own, or the NAS is not known.
        case .unknownNAS, .inProgress, .full, .shed, .unheard, .unavailable: nil
        }
    }
}
