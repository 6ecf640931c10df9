/// The end of a request: the word of Benji's own device dialect for it.
///
/// Here are those of a number's login, which every phone and every server know. Face login adds its own
/// (`BenjiFaceProtocol`). Other dialects get their codes from a ``CodeColumn``; no endpoint and no facade makes up an
/// answer of its own (decision 15). The server's catalogue explains each.
public struct Situation: RawRepresentable, Error, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

extension Situation: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Situation {
    public static let success = Situation(rawValue: "success")

    // MARK: what the phone itself can see

    /// The SDK was asked for something before it was configured.
    public static let notConfigured = Situation(rawValue: "not_configured")
    /// A parameter given to the SDK is missing or malformed.
    public static let invalidArgument = Situation(rawValue: "invalid_argument")
    /// The phone has no network at all.
    public static let noNetwork = Situation(rawValue: "no_network")
    /// There is a network, but mobile data is off.
    public static let cellularDataOff = Situation(rawValue: "cellular_data_off")
    /// There is no SIM in the phone.
    public static let noSIM = Situation(rawValue: "no_sim")
    /// The time the caller allowed has passed.
    public static let timedOut = Situation(rawValue: "timed_out")
    /// The connection broke, or the network could not make one.
    public static let networkFailure = Situation(rawValue: "network_failure")
    /// The server's name has no address.
    public static let nameNotResolved = Situation(rawValue: "name_not_resolved")
    /// Nothing listens at the server's address and port.
    public static let connectionRefused = Situation(rawValue: "connection_refused")
    /// The server's certificate was refused.
    public static let tlsFailure = Situation(rawValue: "tls_failure")
    /// The server's answer is not what the protocol allows.
    public static let malformedResponse = Situation(rawValue: "malformed_response")
    /// The person closed the page or refused.
    public static let userCancelled = Situation(rawValue: "user_cancelled")
    /// The person chose another way to log in.
    public static let switchAccount = Situation(rawValue: "switch_account")
    /// The app called `cancel()`.
    public static let cancelledByApp = Situation(rawValue: "cancelled_by_app")
    /// The same call is still running.
    public static let alreadyRunning = Situation(rawValue: "already_running")
    /// A prefetch was asked for while another one runs.
    public static let prefetchRunning = Situation(rawValue: "prefetch_running")
    /// A login was asked for while another one runs or its page is up.
    public static let loginRunning = Situation(rawValue: "login_running")
    /// The page could not be shown.
    public static let pageFailed = Situation(rawValue: "page_failed")
    /// There is no view controller to show the page from.
    public static let controllerMissing = Situation(rawValue: "controller_missing")
    /// The page does not work beside another app.
    public static let splitViewUnsupported = Situation(rawValue: "split_view_unsupported")
    /// The app took the page down before the person had decided.
    public static let pageDismissedByApp = Situation(rawValue: "page_dismissed_by_app")
    /// There is no prefetch result to log in with.
    public static let prefetchMissing = Situation(rawValue: "prefetch_missing")
    /// There was one, but its time is over.
    public static let prefetchExpired = Situation(rawValue: "prefetch_expired")
    /// The device key could not be made, read or used.
    public static let deviceKeyUnavailable = Situation(rawValue: "device_key_unavailable")

    // MARK: what the gateway finds

    /// No live session holds the address that the request came from: Wi-Fi, a VPN, another network.
    public static let addressUnknown = Situation(rawValue: "address_unknown")
    /// A session held it, but nothing was heard of it for longer than its lease.
    public static let addressStale = Situation(rawValue: "address_stale")
    /// More than one subscription may be behind the address.
    public static let addressAmbiguous = Situation(rawValue: "address_ambiguous")
    /// The number behind the address belongs to a range that cannot log in.
    public static let subscriberUnsupported = Situation(rawValue: "subscriber_unsupported")
    /// The carrier behind the address is switched off, here or for this app.
    public static let carrierUnsupported = Situation(rawValue: "carrier_unsupported")
    /// The gateway may not speak for the carrier that it names.
    public static let gatewayNotTrusted = Situation(rawValue: "gateway_not_trusted")

    // MARK: what the authority decides about the app

    public static let appUnknown = Situation(rawValue: "app_unknown")
    public static let appSuspended = Situation(rawValue: "app_suspended")
    /// The app is not on the operator's allow-list.
    public static let appNotAllowed = Situation(rawValue: "app_not_allowed")
    /// The app's registration lacks the capability asked for.
    public static let capabilityMissing = Situation(rawValue: "capability_missing")
    public static let bundleMismatch = Situation(rawValue: "bundle_mismatch")
    /// The SDK does not know the app's key.
    public static let appKeyWrong = Situation(rawValue: "app_key_wrong")
    /// The address of the app's server is not among those registered.
    public static let serverAddressNotAllowed = Situation(rawValue: "server_address_not_allowed")
    public static let quotaExceeded = Situation(rawValue: "quota_exceeded")
    /// The app had as many tokens for this number today as its contract allows.
    public static let numberQuotaExceeded = Situation(rawValue: "number_quota_exceeded")
    /// The request came more often than the limits allow.
    public static let tooManyRequests = Situation(rawValue: "too_many_requests")
    /// Too many tokens of this app and number are unused.
    public static let tooManyUnusedTokens = Situation(rawValue: "too_many_unused_tokens")
    /// Weaker than what the app accepts.
    public static let assuranceTooLow = Situation(rawValue: "assurance_too_low")
    public static let attestationInvalid = Situation(rawValue: "attestation_invalid")

    // MARK: what the authority decides about a device's request

    public static let proofMissing = Situation(rawValue: "proof_missing")
    public static let proofInvalid = Situation(rawValue: "proof_invalid")
    public static let proofReplayed = Situation(rawValue: "proof_replayed")
    /// The phone's clock is further from ours than a proof may be.
    public static let clockSkew = Situation(rawValue: "clock_skew")
    public static let scripInvalid = Situation(rawValue: "scrip_invalid")
    public static let scripExpired = Situation(rawValue: "scrip_expired")
    /// An older generation of a rotated scrip was presented: the whole family is ended.
    public static let scripReused = Situation(rawValue: "scrip_reused")
    /// The scrip was issued to another device key.
    public static let scripStolen = Situation(rawValue: "scrip_wrong_device")
    /// The address belongs to another subscription than the scrip.
    public static let subscriptionMismatch = Situation(rawValue: "subscription_mismatch")
    public static let consentMissing = Situation(rawValue: "consent_missing")
    public static let consentInvalid = Situation(rawValue: "consent_invalid")

    // MARK: what the authority decides about a server's request

    public static let malformedRequest = Situation(rawValue: "malformed_request")
    public static let parameterMissing = Situation(rawValue: "parameter_missing")
    public static let parameterInvalid = Situation(rawValue: "parameter_invalid")
    public static let appIDMissing = Situation(rawValue: "app_id_missing")
    public static let versionUnsupported = Situation(rawValue: "version_unsupported")
    public static let signMissing = Situation(rawValue: "sign_missing")
    public static let signWrong = Situation(rawValue: "sign_wrong")
    /// The sign was made with another algorithm than the app is registered for.
    public static let signAlgorithmMismatch = Situation(rawValue: "sign_algorithm_mismatch")
    public static let publicKeyMissing = Situation(rawValue: "public_key_missing")
    public static let encryptionFailed = Situation(rawValue: "encryption_failed")
    public static let messageReplayed = Situation(rawValue: "message_replayed")
    public static let messageStale = Situation(rawValue: "message_stale")
    /// The request's time is missing, or is not a time in the unit asked for.
    public static let timestampInvalid = Situation(rawValue: "timestamp_invalid")
    public static let sourceIDUnknown = Situation(rawValue: "source_id_unknown")
    public static let sourceIDMalformed = Situation(rawValue: "source_id_malformed")
    public static let sourceIDTaken = Situation(rawValue: "source_id_taken")
    public static let sourceIDLimit = Situation(rawValue: "source_id_limit")
    public static let processIDMissing = Situation(rawValue: "process_id_missing")
    public static let processIDMalformed = Situation(rawValue: "process_id_malformed")
    /// No login has this process id, or it was too long ago.
    public static let processIDUnknown = Situation(rawValue: "process_id_unknown")
    /// The process id has been redeemed before.
    public static let processIDSpent = Situation(rawValue: "process_id_spent")
    public static let tokenMissing = Situation(rawValue: "token_missing")
    public static let tokenMalformed = Situation(rawValue: "token_malformed")
    public static let tokenUnknown = Situation(rawValue: "token_unknown")
    public static let tokenExpired = Situation(rawValue: "token_expired")
    public static let tokenSpent = Situation(rawValue: "token_spent")
    /// The token belongs to another app.
    public static let tokenWrongApp = Situation(rawValue: "token_wrong_app")
    /// The token was issued in another login than the one that the process id names.
    public static let tokenWrongProcess = Situation(rawValue: "token_wrong_process")
    /// A verification token asked for a number, or a login token asked to verify one.
    public static let tokenWrongPurpose = Situation(rawValue: "token_wrong_purpose")
    /// The SIM or the owner of the number has changed since the token was issued.
    public static let subscriptionChanged = Situation(rawValue: "subscription_changed")
    public static let numberMissing = Situation(rawValue: "number_missing")
    public static let numberMalformed = Situation(rawValue: "number_malformed")
    public static let numberHashMalformed = Situation(rawValue: "number_hash_malformed")
    /// The wish for an encrypted number is neither yes nor no.
    public static let numberEncodingInvalid = Situation(rawValue: "number_encoding_invalid")
    /// Number verification: the number is another one.
    public static let numberDiffers = Situation(rawValue: "number_differs")
    /// A number was sent although the token already says whose it is.
    public static let numberUnnecessary = Situation(rawValue: "number_unnecessary")
    /// The register has never seen the number.
    public static let numberUnknown = Situation(rawValue: "number_unknown")
    /// The caller lacks the role for an order of the administration, or the order is about another user's app.
    public static let orderNotPermitted = Situation(rawValue: "order_not_permitted")
    /// The token was not issued for this request.
    public static let scopeMissing = Situation(rawValue: "scope_missing")
    /// The token was earned in another way than over the carrier's network.
    public static let notByNetwork = Situation(rawValue: "not_by_network")
    /// A quantity is outside what the interface answers for.
    public static let outOfRange = Situation(rawValue: "out_of_range")

    // MARK: what the authority decides about an SMS code

    /// The app had no such code sent.
    public static let codeUnknown = Situation(rawValue: "code_unknown")
    public static let codeWrong = Situation(rawValue: "code_wrong")
    /// The code's time is over, it was used, or a newer one took its place.
    public static let codeExpired = Situation(rawValue: "code_expired")
    /// Too many wrong codes were shown.
    public static let codeTriesExceeded = Situation(rawValue: "code_tries_exceeded")
    /// The number was sent as many codes as the limits allow.
    public static let tooManyCodes = Situation(rawValue: "too_many_codes")
    /// No message is sent to numbers such as this.
    public static let numberNotServed = Situation(rawValue: "number_not_served")
    /// The network takes no message for this number.
    public static let numberBlocked = Situation(rawValue: "number_blocked")
    /// No provider accepted the message: it is not under way.
    public static let messageNotSent = Situation(rawValue: "message_not_sent")

    // MARK: faults of the service

    /// The store cannot be read or written: nothing is released (decision 13).
    public static let storeUnavailable = Situation(rawValue: "store_unavailable")
    public static let overloaded = Situation(rawValue: "overloaded")
    public static let internalError = Situation(rawValue: "internal_error")
    public static let notFound = Situation(rawValue: "not_found")
    public static let methodNotAllowed = Situation(rawValue: "method_not_allowed")
    public static let bodyTooLarge = Situation(rawValue: "body_too_large")
}

extension Situation {
    /// All of the above, in their order. A test holds it to them.
    public static let ofNumberLogin: [Situation] = [
        .success, .notConfigured, .invalidArgument, .noNetwork, .cellularDataOff, .noSIM, .timedOut,
        .networkFailure, .nameNotResolved, .connectionRefused, .tlsFailure, .malformedResponse, .userCancelled,
        .switchAccount, .cancelledByApp,
        .alreadyRunning, .prefetchRunning, .loginRunning, .pageFailed, .controllerMissing,
        .splitViewUnsupported, .pageDismissedByApp, .prefetchMissing, .prefetchExpired, .deviceKeyUnavailable,
        .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported,
        .gatewayNotTrusted, .appUnknown, .appSuspended, .appNotAllowed, .capabilityMissing, .bundleMismatch,
        .appKeyWrong, .serverAddressNotAllowed, .quotaExceeded, .numberQuotaExceeded, .tooManyRequests,
        .tooManyUnusedTokens, .assuranceTooLow, .attestationInvalid, .proofMissing, .proofInvalid, .proofReplayed,
        .clockSkew,
        .scripInvalid, .scripExpired, .scripReused, .scripStolen, .subscriptionMismatch, .consentMissing,
        .consentInvalid, .malformedRequest, .parameterMissing, .parameterInvalid, .appIDMissing,
        .versionUnsupported, .signMissing, .signWrong, .signAlgorithmMismatch, .publicKeyMissing,
        .encryptionFailed, .messageReplayed, .messageStale, .timestampInvalid, .sourceIDUnknown,
        .sourceIDMalformed, .sourceIDTaken, .sourceIDLimit, .processIDMissing, .processIDMalformed,
        .processIDUnknown, .processIDSpent, .tokenMissing, .tokenMalformed, .tokenUnknown, .tokenExpired,
        .tokenSpent, .tokenWrongApp, .tokenWrongProcess, .tokenWrongPurpose, .subscriptionChanged,
        .numberMissing, .numberMalformed, .numberHashMalformed, .numberEncodingInvalid, .numberDiffers,
        .numberUnnecessary, .numberUnknown, .orderNotPermitted, .scopeMissing, .notByNetwork, .outOfRange,
        .codeUnknown, .codeWrong, .codeExpired, .codeTriesExceeded, .tooManyCodes, .numberNotServed, .numberBlocked,
        .messageNotSent, .storeUnavailable, .overloaded, .internalError, .notFound, .methodNotAllowed, .bodyTooLarge,
    ]
}
