import OpenIDProvider

extension DoctorCommand {
    /// Where browsers and apps' servers go, in roles that are apart: the other process must be told the same.
    static func examineOpenID(_ configuration: ServerConfiguration) -> [Finding] {
        guard configuration.role != .all else { return [] }
        if let openID = configuration.openID {
            return [
                Finding(
                    subject: "openid", verdict: .good,
                    text: "apps' servers go to \(openID.issuer), browsers to \(openID.pages): each gateway needs "
                        + "openid.pages: \(openID.pages)")
            ]
        }
        guard let pages = configuration.openIDPages else { return [] }
        return [
            Finding(
                subject: "openid", verdict: .good,
                text:
                    "login pages at \(pages): the authority needs openid.issuer, and openid.pages: \(pages). Where they differ, "
                    + "/health/ready of this gateway says so")
        ]
    }
}
