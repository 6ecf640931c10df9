/// The ends of a face login besides those of a login by number.
extension Situation {
    // MARK: what the phone itself can see

    /// The person does not let the app use the camera.
    public static let cameraDenied = Situation(rawValue: "camera_denied")
    /// There is no camera, or it does not work.
    public static let cameraFailed = Situation(rawValue: "camera_failed")

    // MARK: what the authority decides

    /// This server has no models, or face login is switched off.
    public static let faceUnavailable = Situation(rawValue: "face_unavailable")
    /// The app token is unknown, expired, or another install's. The SDK fetches the next one by itself.
    public static let appTokenInvalid = Situation(rawValue: "app_token_invalid")
    /// The access token has expired; a refresh token may buy the next.
    public static let accessTokenExpired = Situation(rawValue: "access_token_expired")
    /// No such access token, or it has been ended.
    public static let accessTokenInvalid = Situation(rawValue: "access_token_invalid")
    /// The refresh token is unknown, expired or spent: the person has to log in again.
    public static let refreshTokenInvalid = Situation(rawValue: "refresh_token_invalid")
    /// The account's holder has not let the app know them, or has taken that back.
    public static let notAuthorized = Situation(rawValue: "not_authorized")
    /// The face session is unknown, ended or expired.
    public static let faceSessionInvalid = Situation(rawValue: "face_session_invalid")
    /// Something of what the session needs is not there yet.
    public static let faceSessionIncomplete = Situation(rawValue: "face_session_incomplete")
    /// The install's memory of an account is no longer good: one tap is.
    public static let rememberedAccountInvalid = Situation(rawValue: "remembered_account_invalid")
    /// The account is frozen.
    public static let accountFrozen = Situation(rawValue: "account_frozen")
    /// The account was erased, by its holder on another device or by the operator. A client that still holds one of its
    /// tokens gets this.
    public static let accountErased = Situation(rawValue: "account_erased")
    /// An irreversible request needs a face that was shown a moment ago, or a fresh one-tap token.
    public static let confirmationNeeded = Situation(rawValue: "confirmation_needed")
    /// The account is tied to another user of the app.
    public static let accountBoundElsewhere = Situation(rawValue: "account_bound_elsewhere")
    public static let uidMissing = Situation(rawValue: "uid_missing")
    /// The app's user is tied to another account.
    public static let uidTaken = Situation(rawValue: "uid_taken")
    /// Attributes are for an app that the person has authorised.
    public static let attributesDenied = Situation(rawValue: "attributes_denied")
    /// The challenge is unknown, used or another session's.
    public static let challengeInvalid = Situation(rawValue: "challenge_invalid")
    /// The time for the steps is over.
    public static let challengeExpired = Situation(rawValue: "challenge_expired")
    /// The steps were not shown, in as many attempts as there are.
    public static let challengeFailed = Situation(rawValue: "challenge_failed")
    /// A picture cannot be read: damaged, of another type, too large.
    public static let pictureInvalid = Situation(rawValue: "picture_invalid")
    /// No frame showed a face.
    public static let faceNotFound = Situation(rawValue: "face_not_found")
    /// It is another person's face.
    public static let faceDiffers = Situation(rawValue: "face_differs")
    /// Not a mobile number of mainland China.
    public static let numberNotMainland = Situation(rawValue: "number_not_mainland")
    /// The app has no such group of faces.
    public static let groupUnknown = Situation(rawValue: "group_unknown")
    /// The group holds, or the app has, as many as may be.
    public static let groupFull = Situation(rawValue: "group_full")
    /// No person who has authorised the app has this openId.
    public static let openIDUnknown = Situation(rawValue: "open_id_unknown")
}

extension Situation {
    /// All of the above, in their order. A test holds it to them.
    public static let ofFaceLogin: [Situation] = [
        .cameraDenied, .cameraFailed, .faceUnavailable, .appTokenInvalid, .accessTokenExpired,
        .accessTokenInvalid, .refreshTokenInvalid, .notAuthorized, .faceSessionInvalid, .faceSessionIncomplete,
        .rememberedAccountInvalid, .accountFrozen, .accountErased, .confirmationNeeded, .accountBoundElsewhere,
        .uidMissing, .uidTaken, .attributesDenied, .challengeInvalid, .challengeExpired, .challengeFailed,
        .pictureInvalid, .faceNotFound, .faceDiffers, .numberNotMainland, .groupUnknown, .groupFull,
        .openIDUnknown,
    ]
}
