/// The addresses of face login's device side, version 1 (`docs/superid-dialect.md`).
///
/// Each is a POST under a device proof, as in the device dialect. None needs the cellular interface: what proves the
/// number is a one-tap token that was earned there.
public enum FacePath: String, Sendable, CaseIterable {
    case appToken = "/superid/v1/app-token"
    case begin = "/superid/v1/begin"
    case consent = "/superid/v1/consent"
    case challenge = "/superid/v1/challenge"
    case frames = "/superid/v1/frames"
    case finish = "/superid/v1/finish"
    case renew = "/superid/v1/renew"
    case user = "/superid/v1/user"
    case updateUID = "/superid/v1/update-uid"
    case updateUserInfo = "/superid/v1/update-user-info"
    case state = "/superid/v1/state"
    case logOut = "/superid/v1/logout"
    case cancel = "/superid/v1/cancel"
    case freeze = "/superid/v1/freeze"
    case erase = "/superid/v1/erase"
    case searchBegin = "/superid/v1/search-begin"
    case search = "/superid/v1/search"
    case leaveGroups = "/superid/v1/leave-groups"
}
