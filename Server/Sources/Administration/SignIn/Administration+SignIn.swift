package import Authority
import BenjiFaceProtocol
import BenjiProtocol
package import Requests
package import Store

/// Signing in to the console: an invitation, then a password and a code. Every answer to a wrong attempt is the same.
extension Administration {
    /// How long a browser stays signed in at most.
    package static let sessionLife: Duration = .seconds(12 * 3600)
    /// How long it may rest.
    package static let sessionRest: Duration = .seconds(3600)
    /// The consecutive failed attempts for one name that pause sign-in by it, and the length of the pause.
    package static let failedSignIns = 10
    package static let signInPause: Duration = .seconds(15 * 60)

    static let wrong = Refusal(
        .accessTokenInvalid,
        "name, password or code is wrong; after \(failedSignIns) wrong attempts nobody can sign in by a name for 15 "
            + "minutes"
    )
    private static let noInvitation = Refusal(
        .accessTokenInvalid,
        "this invitation was used, or has ended; an operator makes another with: benji admin renew NAME --console")

    /// Returns the name of the admin whom an invitation is for.
    package func invited(by invitation: String) async throws(Refusal) -> String {
        let found: AdminRecord?
        do throws(StoreError) { found = try await store.admin(CredentialHash(of: invitation)) } catch {
            throw Refusal(error)
        }
        guard let found, found.kind == .invitation, found.revokedAt == nil, found.expiresAt > authority.clock.now else {
            throw Self.noInvitation
        }
        return found.name
    }

    /// Returns a salt, which the page of a new account draws and sends back: see ``oneTimePassword(of:salt:)``.
    package func newSalt() -> [UInt8] { authority.random.bytes(Self.saltLength) }
    /// In bytes.
    package static let saltLength = 16

    /// Returns the secret behind a new account's codes. It is the same for the same salt, so that nothing is stored
    /// before the phone has made a right code.
    package func oneTimePassword(of admin: String, salt: [UInt8]) -> OneTimePassword {
        OneTimePassword(secret: authority.vault.consoleSecret(of: admin, salt: salt))
    }

    /// Makes the account of an invited person, and signs them in.
    ///
    /// - Parameter salt: the result of ``newSalt()``, by which the page showed the secret.
    /// - Returns: the secret of a session, for the browser's cookie.
    package func accept(
        invitation: String, password: String, code: String, salt: [UInt8], from origin: String
    ) async throws(Refusal) -> String {
        let admin = try await invited(by: invitation)
        guard salt.count == Self.saltLength else { throw Self.noInvitation }
        let chosen = try Password(new: password, of: admin)
        let now = authority.clock.now
        guard let step = oneTimePassword(of: admin, salt: salt).step(of: code, at: now) else {
            throw Refusal(
                .codeWrong, "code: not the one that your authenticator app shows now; is the phone's clock right?")
        }
        let password = try await passwords.inLine { () throws(Refusal) in
            try await passwords.hash(chosen, salt: salt)
        }
        let account = ConsoleAccount(admin: admin, password: password, lastStep: step)
        let (secret, session) = begin(admin, at: now)
        let line = try await line("console.accept", of: admin, at: now, from: origin)
        let spent = CredentialHash(bytes: authority.random.bytes(32))
        let isMade: Bool
        do throws(StoreError) {
            isMade = try await store.acceptInvitation(
                CredentialHash(of: invitation), spent: spent, account: account, session: session, audit: line)
        } catch { throw Refusal(error) }
        guard isMade else { throw Self.noInvitation }
        try? await store.noteAdminUse(admin, day: CalendarDay(now).number)
        return secret
    }

    /// Signs somebody in.
    ///
    /// - Returns: the secret of a new session, for the browser's cookie.
    package func signIn(
        _ admin: String, password: String, code: String, from origin: String
    ) async throws(Refusal) -> String {
        // Who is sent away because many sign in has not tried yet: their attempt is not counted.
        try await passwords.inLine { () throws(Refusal) in
            let account = try await account(of: admin, password: password, from: origin)
            return try await begin(account, by: .code(code), pending: nil, from: origin)
        }
    }

    /// The second factor, shown after the password.
    package enum Proof: Sendable {
        /// A code of the authenticator app.
        case code(String)
        /// See ``phone(of:client:at:)``.
        case phone(CredentialHash)
    }

    /// Begins a session, if the proof is the account's.
    /// - Parameter pending: what the password began before, if it was not shown in this request.
    func begin(
        _ account: ConsoleAccount, by proof: Proof, pending: CredentialHash?, from origin: String
    ) async throws(Refusal) -> String {
        let now = authority.clock.now
        let factor: SecondFactor
        switch proof {
        case .code(let code):
            let codes = oneTimePassword(of: account.admin, salt: account.password.salt)
            guard let step = codes.step(of: code, at: now) else { throw Self.wrong }
            factor = .code(step: step)
        case .phone(let phone):
            guard phone == account.phone else { throw Self.otherPhone }
            factor = .phone(phone)
        }
        let (secret, session) = begin(account.admin, at: now)
        var line = try await line("console.sign-in", of: account.admin, at: now, from: origin)
        if case .phone = factor { line.after = JSON.object(["secondFactor": "phone"]).text }
        let isIn: Bool
        do throws(StoreError) {
            isIn = try await store.signIn(session, account: account, by: factor, pending: pending, audit: line)
        } catch { throw Refusal(error) }
        guard isIn else { throw Self.wrong }
        return secret
    }

    /// The account that a password opens; the attempt is counted. To be called in the line.
    func account(of admin: String, password: String, from origin: String) async throws(Refusal) -> ConsoleAccount {
        guard let account = try await countSignIn(by: admin, from: origin) else {
            // Takes as long as for somebody whom there is.
            _ = try await passwords.hash(Password(password), salt: Array(repeating: 0, count: Self.saltLength))
            throw Self.wrong
        }
        guard try await passwords.matches(Password(password), account.password) else { throw Self.wrong }
        return account
    }

    /// Counts an attempt to sign in by a name before anything is compared.
    /// - Returns: the account to compare with; `nil` if no sign-in by this name is possible now.
    func countSignIn(by admin: String, from origin: String) async throws(Refusal) -> ConsoleAccount? {
        let now = authority.clock.now
        // An invalid name is not looked up: databases differ in what a text may hold.
        guard (try? Admins.check(name: admin)) != nil else { return nil }
        var pause = try await line("console.pause", of: admin, at: now, from: origin)
        pause.outcome = .tooManyRequests
        let attempt: SignInAttempt
        do throws(StoreError) {
            attempt = try await store.beginSignIn(
                admin, at: now, limit: Self.failedSignIns, pause: Self.signInPause, audit: pause)
        } catch { throw Refusal(error) }
        guard case .open(let account) = attempt else { return nil }
        return account
    }

    /// A line of the audit log about an admin, by that admin.
    func line(
        _ order: String, of admin: String, at now: Timestamp, from origin: String
    ) async throws(Refusal) -> AuditEntry {
        AuditEntry(
            at: now, actor: admin, role: try await record(of: admin)?.role ?? "", origin: origin, order: order,
            subject: "admin \(admin)")
    }

    /// Returns the admin who has signed in in this browser.
    package func caller(session secret: String, from origin: String) async throws(Refusal) -> Caller? {
        let (hash, now) = (CredentialHash(of: secret), authority.clock.now)
        let found: AdminRecord?
        do throws(StoreError) {
            found = try await store.consoleSession(hash, at: now, usedSince: now - Self.sessionRest)
        } catch { throw Refusal(error) }
        guard let found, let role = Role(rawValue: found.role) else { return nil }
        // If the use cannot be noted, because the disk is full for example, the admin may work all the same.
        try? await store.noteConsoleUse(hash, at: now)
        await noteUse(of: found, at: now)
        return Caller(name: found.name, role: role, apps: found.apps, seesNumbers: found.seesNumbers, origin: origin)
    }

    package func signOut(session secret: String) async throws(Refusal) {
        do throws(StoreError) { try await store.endConsoleSession(CredentialHash(of: secret)) } catch {
            throw Refusal(error)
        }
    }

    /// Deletes sessions that have ended. To be called every minute or so.
    package func deleteEndedSessions() async throws(Refusal) {
        do throws(StoreError) {
            while try await store.deleteConsoleSessions(before: authority.clock.now, limit: 1000) == 1000 {}
        } catch { throw Refusal(error) }
    }

    private func begin(_ admin: String, at now: Timestamp) -> (secret: String, session: ConsoleSession) {
        let secret = Base64URL.encode(authority.random.bytes(32))
        return (
            secret,
            ConsoleSession(
                hash: CredentialHash(of: secret), admin: admin, beganAt: now, endsAt: now + Self.sessionLife)
        )
    }

    private func record(of admin: String) async throws(Refusal) -> AdminRecord? {
        do throws(StoreError) { return try await store.admin(named: admin) } catch { throw Refusal(error) }
    }
}
