package import BenjiClient
package import BenjiFaceProtocol
import BenjiProtocol

// The app's requests that need no face in front of the camera.
extension FaceEngine {
    /// Whether somebody is logged in, as far as the phone knows.
    package var isAuthorized: Bool { remembered().access != nil }

    package func user() async throws(BenjiError) -> FaceUserResponse {
        let json = try await sendAsUser(.user) { FaceAccessRequest(appToken: $0, accessToken: $1).json }
        return try read(json, FaceUserResponse.init)
    }

    /// Whether one of the app's users is tied to an account.
    package func isAuthorized(uid: String) async throws(BenjiError) -> Bool {
        let json = try await sendAsApp(.state) { FaceStateRequest(appToken: $0, uid: uid).json }
        return try read(json, FaceStateResponse.init).isAuthorized
    }

    /// Whether this phone's person is tied to their account, by their openId. Throws for any other openId.
    package func isAuthorized(openID: String) async throws(BenjiError) -> Bool {
        let memory = remembered()
        guard memory.openID == openID, let uid = memory.uid else {
            throw BenjiError(.openIDUnknown, "nobody with this openId has logged in on this phone")
        }
        return try await isAuthorized(uid: uid)
    }

    package func updateUID(_ uid: String, on stage: (any FaceStage)? = nil) async throws(BenjiError) {
        _ = try await sendConfirmed(.updateUID, on: stage) {
            FaceUpdateUIDRequest(appToken: $0, accessToken: $1, uid: uid).json
        }
        change { $0.uid = uid }
    }

    /// For a lost phone: nothing of the account works until the operator thaws it.
    package func freezeAccount(on stage: any FaceStage) async throws(BenjiError) {
        _ = try await sendConfirmed(.freeze, on: stage) { FaceConfirmedRequest(appToken: $0, accessToken: $1).json }
        change { $0.access = nil }
    }

    /// Erases the account for every app.
    package func eraseAccount(on stage: any FaceStage) async throws(BenjiError) {
        _ = try await sendConfirmed(.erase, on: stage) { FaceConfirmedRequest(appToken: $0, accessToken: $1).json }
        change { $0 = FaceMemory() }
    }

    /// A request that takes a face shown a moment ago. If it was longer ago the person shows it again, where there is a
    /// stage.
    private func sendConfirmed(
        _ path: FacePath, on stage: (any FaceStage)?,
        _ make: @escaping @Sendable (_ appToken: String, _ access: String) -> JSON
    ) async throws(BenjiError) -> JSON {
        do { return try await sendAsUser(path, make) } catch {
            guard error.situation == .confirmationNeeded, let stage else { throw error }
            _ = try await run(.verify, on: stage)
        }
        return try await sendAsUser(path, make)
    }

    package func updateUserInfo(_ userInfo: FaceUserInfo) async throws(BenjiError) {
        _ = try await sendAsUser(.updateUserInfo) {
            FaceUpdateUserInfoRequest(appToken: $0, accessToken: $1, userInfo: userInfo).json
        }
    }

    /// Ends the access here at once and at the server as soon as it can be told. The account stays remembered, so that
    /// the next login is a look into the camera.
    package func logOut() async {
        guard let access = remembered().access?.grant.accessToken else { return }
        change { $0.access = nil }
        _ = try? await sendAsApp(.logOut) { FaceAccessRequest(appToken: $0, accessToken: access).json }
    }

    /// Takes back what the person has allowed the app. The face goes too when no other app of theirs uses it,
    /// at once or within a week.
    @discardableResult
    package func cancelAuthorization() async throws(BenjiError) -> Bool {
        let json = try await sendAsUser(.cancel) { FaceAccessRequest(appToken: $0, accessToken: $1).json }
        change { $0 = FaceMemory() }
        return try read(json, FaceCancelResponse.init).isErased
    }

    /// Takes the person out of the app's groups, and their yes back. They are not asked again by themselves.
    package func leaveGroups() async throws(BenjiError) {
        _ = try await sendAsUser(.leaveGroups) { FaceAccessRequest(appToken: $0, accessToken: $1).json }
        change { $0.declinedGroups = FaceMemory.everyGroup }
    }

    /// Lets the next login ask once more whether the person may be found in the app's groups.
    package func askAboutGroups() { change { $0.declinedGroups = nil } }

    /// Keeps what a login brought.
    func keep(_ response: FaceFinishResponse, declinedGroups: String?) {
        let now = wallClock.now
        change {
            $0.remembered = response.remembered
            $0.access = FaceMemory.Access(response.grant, at: now)
            $0.openID = response.openID
            $0.uid = response.uid
            $0.declinedGroups = declinedGroups
        }
    }
}
