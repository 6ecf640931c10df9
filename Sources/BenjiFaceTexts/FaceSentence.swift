public import BenjiPage

/// Everything that a person is told while their face is looked at, on a phone and in a browser alike.
///
/// The raw values are names for programs: a page that is not written in Swift can carry the table as data.
public enum FaceSentence: String, Hashable, Sendable, CaseIterable {
    // MARK: what to do in front of the camera

    case placeFace = "place_face"
    case lookStraight = "look_straight"
    case turnLeft = "turn_left"
    case turnRight = "turn_right"
    case blink
    case openMouth = "open_mouth"
    case holdStill = "hold_still"
    /// While the server looks at the pictures.
    case checking
    case passed
    /// Before another attempt.
    case tryAgain = "try_again"

    // MARK: faults of a picture or an attempt

    case noFace = "no_face"
    case severalFaces = "several_faces"
    case covered
    /// By a mask, a scarf, a hand.
    case mouthCovered = "mouth_covered"
    /// By dark glasses, a hand.
    case eyesCovered = "eyes_covered"
    /// A side is covered, or outside of the picture.
    case halfFace = "half_face"
    /// The picture lies on its side or upside down.
    case pictureTurned = "picture_turned"
    case tooSmall = "too_small"
    case turnedAway = "turned_away"
    case raised
    case tilted
    case tooDark = "too_dark"
    case tooBright = "too_bright"
    case harshLight = "harsh_light"
    case flatLight = "flat_light"
    case unevenLight = "uneven_light"
    case blurred
    /// The movement was not seen, or it came at the wrong time.
    case movementMissing = "movement_missing"
    /// Another face appeared during the attempt.
    case faceChanged = "face_changed"
    /// The pictures do not look like those of a person in front of the camera.
    case notLive = "not_live"
    case openEyes = "open_eyes"
    case closeMouth = "close_mouth"
    case slower
    /// The face left the picture.
    case faceLost = "face_lost"
    case severalFacesSeen = "several_faces_seen"
    /// The pictures were never good enough to compare a face by.
    case unclear
    /// The camera's pictures stopped coming for a while.
    case interrupted
    /// The face moved from one place to another between two pictures.
    case jumped
    /// Another movement than the one asked for.
    case wrongMovement = "wrong_movement"
    case still
    /// Pictures that were shown before.
    case replayed
    /// Pictures that no camera sends.
    case picturesWrong = "pictures_wrong"
    /// The attempt is over: begun elsewhere, or ended.
    case attemptOver = "attempt_over"
    case slowNetwork = "slow_network"
    case crowded
    case faceUnavailable = "face_unavailable"
    /// A defect of the server.
    case trouble
    /// Not the face of the account.
    case otherPerson = "other_person"
    case tooLate = "too_late"
    case noAttemptsLeft = "no_attempts_left"

    // MARK: the camera

    case cameraRefusedTitle = "camera_refused_title"
    /// On a phone.
    case cameraRefusedPhone = "camera_refused_phone"
    /// In a browser.
    case cameraRefusedBrowser = "camera_refused_browser"
    case cameraMissing = "camera_missing"
    case networkTrouble = "network_trouble"
    case accountFrozen = "account_frozen"
    case accountErased = "account_erased"
    /// Any other reason.
    case cannotGoOn = "cannot_go_on"

    // MARK: the screens

    case loginTitle = "login_title"
    case bindTitle = "bind_title"
    case attributesTitle = "attributes_title"
    case searchTitle = "search_title"
    case captureStart = "capture_start"
    case profileTitle = "profile_title"
    case profileHint = "profile_hint"
    case name
    case nameMissing = "name_missing"
    case portrait
    case takePicture = "take_picture"
    case fromAlbum = "from_album"
    case consentTitle = "consent_title"
    case consentText = "consent_text"
    /// In the place of `consentText` before a search, which keeps nothing.
    case searchConsentText = "search_consent_text"
    /// Beside the box that is to be ticked.
    case consentTick = "consent_tick"
    case consentAgree = "consent_agree"
    case consentDecline = "consent_decline"
    /// `%@` is the app's name.
    case authorizeTitle = "authorize_title"
    case authorizeText = "authorize_text"
    case authorizeAllow = "authorize_allow"
    case authorizeDeny = "authorize_deny"
    /// `%@` is the app's name.
    case groupsTitle = "groups_title"
    case groupsText = "groups_text"
    case next
    case retry
    case close
    case otherWay = "other_way"
    case openSettings = "open_settings"

    /// The sentence in `language`. Never empty.
    public func text(in language: Language) -> String { text[language] }

    /// The sentence with an app's name in the place of `%@`.
    public func text(in language: Language, app: String) -> String {
        text(in: language).replacing("%@", with: app)
    }
}
