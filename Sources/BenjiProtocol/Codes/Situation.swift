/// Everything that a request can end in, once, for all dialects.
///
/// The raw value is the code of Benji's own device dialect. Every other dialect gets its code from ``ResultCodes``; no
/// endpoint and no facade makes up an answer of its own (decision 15).
public enum Situation: String, Error, Sendable, Codable, CaseIterable, Hashable {
    case success

    // MARK: what the phone itself can see

    /// The SDK was asked for something before it was configured.
    case notConfigured = "not_configured"
    /// A parameter given to the SDK is missing or malformed.
    case invalidArgument = "invalid_argument"
    /// The phone has no network at all.
    case noNetwork = "no_network"
    /// There is a network, but mobile data is off.
    case cellularDataOff = "cellular_data_off"
    /// There is no SIM in the phone.
    case noSIM = "no_sim"
    /// The time the caller allowed has passed.
    case timedOut = "timed_out"
    /// The connection could not be made, or broke.
    case networkFailure = "network_failure"
    /// The server's certificate was refused.
    case tlsFailure = "tls_failure"
    /// The server's answer is not what the protocol allows.
    case malformedResponse = "malformed_response"
    /// The person closed the page or refused.
    case userCancelled = "user_cancelled"
    /// The person chose another way to log in.
    case switchAccount = "switch_account"
    /// The app called `cancel()`.
    case cancelledByApp = "cancelled_by_app"
    /// The same call is still running.
    case alreadyRunning = "already_running"
    /// A prefetch was asked for while another one runs.
    case prefetchRunning = "prefetch_running"
    /// A login was asked for while another one runs or its page is up.
    case loginRunning = "login_running"
    /// The page could not be shown.
    case pageFailed = "page_failed"
    /// There is no view controller to show the page from.
    case controllerMissing = "controller_missing"
    /// The page does not work beside another app.
    case splitViewUnsupported = "split_view_unsupported"
    /// The app took the page down before the person had decided.
    case pageDismissedByApp = "page_dismissed_by_app"
    /// There is no prefetch result to log in with.
    case prefetchMissing = "prefetch_missing"
    /// There was one, but its time is over.
    case prefetchExpired = "prefetch_expired"
    /// The device key could not be made, read or used.
    case deviceKeyUnavailable = "device_key_unavailable"
    /// The person does not let the app use the camera.
    case cameraDenied = "camera_denied"
    /// There is no camera, or it does not work.
    case cameraFailed = "camera_failed"

    // MARK: what the gateway finds

    /// No live session holds the address that the request came from: Wi-Fi, a VPN, another network.
    case addressUnknown = "address_unknown"
    /// A session held it, but nothing was heard of it for longer than its lease.
    case addressStale = "address_stale"
    /// More than one subscription may be behind the address.
    case addressAmbiguous = "address_ambiguous"
    /// The number behind the address belongs to a range that cannot log in.
    case subscriberUnsupported = "subscriber_unsupported"
    /// The carrier behind the address is switched off, here or for this app.
    case carrierUnsupported = "carrier_unsupported"
    /// The gateway may not speak for the carrier that it names.
    case gatewayNotTrusted = "gateway_not_trusted"

    // MARK: what the authority decides about the app

    case appUnknown = "app_unknown"
    case appSuspended = "app_suspended"
    /// The app is not on the operator's allow-list.
    case appNotAllowed = "app_not_allowed"
    /// The app's registration lacks the capability asked for.
    case capabilityMissing = "capability_missing"
    case bundleMismatch = "bundle_mismatch"
    /// The SDK does not know the app's key.
    case appKeyWrong = "app_key_wrong"
    /// The address of the app's server is not among those registered.
    case serverAddressNotAllowed = "server_address_not_allowed"
    case quotaExceeded = "quota_exceeded"
    /// The request came more often than the limits allow.
    case tooManyRequests = "too_many_requests"
    /// Too many tokens of this app and number are unused.
    case tooManyUnusedTokens = "too_many_unused_tokens"
    /// Weaker than what the app accepts.
    case assuranceTooLow = "assurance_too_low"
    case attestationInvalid = "attestation_invalid"

    // MARK: what the authority decides about a device's request

    case proofMissing = "proof_missing"
    case proofInvalid = "proof_invalid"
    case proofReplayed = "proof_replayed"
    /// The phone's clock is further from ours than a proof may be.
    case clockSkew = "clock_skew"
    case scripInvalid = "scrip_invalid"
    case scripExpired = "scrip_expired"
    /// An older generation of a rotated scrip was presented: the whole family is ended.
    case scripReused = "scrip_reused"
    /// The scrip was issued to another device key.
    case scripStolen = "scrip_wrong_device"
    /// The address belongs to another subscription than the scrip.
    case subscriptionMismatch = "subscription_mismatch"
    case consentMissing = "consent_missing"
    case consentInvalid = "consent_invalid"

    // MARK: what the authority decides about a face login

    /// This server has no models, or face login is switched off.
    case faceUnavailable = "face_unavailable"
    /// The app token is unknown, expired, or another install's. The SDK fetches the next one by itself.
    case appTokenInvalid = "app_token_invalid"
    /// The access token has expired; a refresh token may buy the next.
    case accessTokenExpired = "access_token_expired"
    /// No such access token, or it has been ended.
    case accessTokenInvalid = "access_token_invalid"
    /// The refresh token is unknown, expired or spent: the person has to log in again.
    case refreshTokenInvalid = "refresh_token_invalid"
    /// The account's holder has not let the app know them, or has taken that back.
    case notAuthorized = "not_authorized"
    /// The face session is unknown, ended or expired.
    case faceSessionInvalid = "face_session_invalid"
    /// Something of what the session needs is not there yet.
    case faceSessionIncomplete = "face_session_incomplete"
    /// The install's memory of an account is no longer good: one tap is.
    case rememberedAccountInvalid = "remembered_account_invalid"
    /// The account is frozen.
    case accountFrozen = "account_frozen"
    /// The account was erased, by its holder on another device or by the operator. Whoever still holds something of it is told.
    case accountErased = "account_erased"
    /// What cannot be taken back needs a face that was shown a moment ago, or a fresh one-tap token.
    case confirmationNeeded = "confirmation_needed"
    /// The account is tied to another user of the app.
    case accountBoundElsewhere = "account_bound_elsewhere"
    case uidMissing = "uid_missing"
    /// The app's user is tied to another account.
    case uidTaken = "uid_taken"
    /// Attributes are for an app that the person has authorised.
    case attributesDenied = "attributes_denied"
    /// The challenge is unknown, used or another session's.
    case challengeInvalid = "challenge_invalid"
    /// The time for the steps is over.
    case challengeExpired = "challenge_expired"
    /// The steps were not shown, in as many attempts as there are.
    case challengeFailed = "challenge_failed"
    /// A picture cannot be read: damaged, of another type, too large.
    case pictureInvalid = "picture_invalid"
    /// No frame showed a face.
    case faceNotFound = "face_not_found"
    /// It is another person's face.
    case faceDiffers = "face_differs"
    /// Not a mobile number of mainland China.
    case numberNotMainland = "number_not_mainland"
    /// The app has no such group of faces.
    case groupUnknown = "group_unknown"
    /// The group holds, or the app has, as many as may be.
    case groupFull = "group_full"
    /// Nobody who has authorised the app has this openId.
    case openIDUnknown = "open_id_unknown"

    // MARK: what the authority decides about a server's request

    case malformedRequest = "malformed_request"
    case parameterMissing = "parameter_missing"
    case parameterInvalid = "parameter_invalid"
    case appIDMissing = "app_id_missing"
    case versionUnsupported = "version_unsupported"
    case signMissing = "sign_missing"
    case signWrong = "sign_wrong"
    /// The sign was made with another algorithm than the app is registered for.
    case signAlgorithmMismatch = "sign_algorithm_mismatch"
    case publicKeyMissing = "public_key_missing"
    case encryptionFailed = "encryption_failed"
    case messageReplayed = "message_replayed"
    case messageStale = "message_stale"
    /// The request's time is missing, or is not a time in the unit asked for.
    case timestampInvalid = "timestamp_invalid"
    case sourceIDUnknown = "source_id_unknown"
    case sourceIDMalformed = "source_id_malformed"
    case sourceIDTaken = "source_id_taken"
    case sourceIDLimit = "source_id_limit"
    case processIDMissing = "process_id_missing"
    case processIDMalformed = "process_id_malformed"
    /// No login has this process id, or it was too long ago.
    case processIDUnknown = "process_id_unknown"
    /// The process id has been redeemed before.
    case processIDSpent = "process_id_spent"
    case tokenMissing = "token_missing"
    case tokenMalformed = "token_malformed"
    case tokenUnknown = "token_unknown"
    case tokenExpired = "token_expired"
    case tokenSpent = "token_spent"
    /// The token belongs to another app.
    case tokenWrongApp = "token_wrong_app"
    /// The token was issued in another login than the one that the process id names.
    case tokenWrongProcess = "token_wrong_process"
    /// A verification token asked for a number, or a login token asked to verify one.
    case tokenWrongPurpose = "token_wrong_purpose"
    /// The SIM or the owner of the number has changed since the token was issued.
    case subscriptionChanged = "subscription_changed"
    case numberMissing = "number_missing"
    case numberMalformed = "number_malformed"
    case numberHashMalformed = "number_hash_malformed"
    /// The wish for an encrypted number is neither yes nor no.
    case numberEncodingInvalid = "number_encoding_invalid"
    /// Number verification: the number is another one.
    case numberDiffers = "number_differs"
    /// A number was sent although the token already says whose it is.
    case numberUnnecessary = "number_unnecessary"
    /// The register has never seen the number.
    case numberUnknown = "number_unknown"
    /// Whoever gives an order of the administration has not the role for it, or it is about somebody else's app.
    case orderNotPermitted = "order_not_permitted"
    /// The token was not issued for what is asked with it.
    case scopeMissing = "scope_missing"
    /// The token was earned in another way than over the carrier's network.
    case notByNetwork = "not_by_network"
    /// A quantity is outside what the interface answers for.
    case outOfRange = "out_of_range"

    // MARK: what is wrong with us

    /// The store cannot be read or written: nothing is released (decision 13).
    case storeUnavailable = "store_unavailable"
    case overloaded = "overloaded"
    case internalError = "internal_error"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case bodyTooLarge = "body_too_large"
}
