import Authority
import BenjiFaceProtocol
import BenjiProtocol
package import Requests
package import Store

/// One tap of an admin's own phone, in the place of the code and never of the password. The console is a client of an
/// OpenID provider; of the phone nothing is kept but a digest of the account that it has there.
extension Administration {
    /// How long a right password waits for what finishes it.
    package static let pendingLife: Duration = .seconds(600)

    static let otherPhone = Refusal(
        .accessTokenInvalid,
        "this phone is not the one that was bound here: it is somebody else's, or its number has another holder; sign "
            + "in with the six digits"
    )
    private static let ended = Refusal(
        .accessTokenExpired,
        "this has ended, was finished before, or was begun in another browser; begin again with name and password")

    /// Returns a phone's identity, distinct from every other phone's.
    ///
    /// - Parameters:
    ///   - subject: its account there, as an ID token says it. Accounts of two issuers or clients are never the same.
    ///   - client: the console's own id at the issuer.
    package static func phone(of subject: String, client: String, at issuer: String) -> CredentialHash {
        CredentialHash(of: JSON.array([.string(issuer), .string(client), .string(subject)]).text)
    }

    /// Checks a password, for somebody who goes on with one tap or a code.
    ///
    /// - Returns: the secret of what has begun, for the browser's cookie.
    /// - Throws: ``Refusal``, the same whether name or password is wrong or no phone is bound.
    package func beginSignIn(_ admin: String, password: String, from origin: String) async throws(Refusal) -> String {
        try await passwords.inLine { () throws(Refusal) in
            let account = try await account(of: admin, password: password, from: origin)
            guard account.phone != nil else { throw Self.wrong }
            return try await keep(account, session: nil)
        }
    }

    /// Checks the password of somebody who has signed in and wants to bind a phone.
    ///
    /// - Parameter session: the secret of their session.
    /// - Returns: the secret of what has begun, for the browser's cookie.
    package func beginBinding(
        by caller: Caller, session: String, password: String
    ) async throws(Refusal) -> String {
        try await passwords.inLine { () throws(Refusal) in
            let account = try await account(of: caller.name, password: password, from: caller.origin)
            return try await keep(account, session: CredentialHash(of: session))
        }
    }

    private func keep(_ account: ConsoleAccount, session: CredentialHash?) async throws(Refusal) -> String {
        let secret = Base64URL.encode(authority.random.bytes(32))
        let pending = PendingSignIn(
            hash: CredentialHash(of: secret), admin: account.admin, session: session,
            endsAt: authority.clock.now + Self.pendingLife)
        let isKept: Bool
        do throws(StoreError) { isKept = try await store.beginPending(pending, account: account) } catch {
            throw Refusal(error)
        }
        guard isKept else { throw Self.wrong }
        return secret
    }

    /// Returns the sign-in that began in this browser.
    /// - Throws: ``Refusal`` if it has ended or was finished.
    package func pendingSignIn(_ secret: String) async throws(Refusal) -> PendingSignIn {
        let found: PendingSignIn?
        do throws(StoreError) {
            found = try await store.pendingSignIn(CredentialHash(of: secret), at: authority.clock.now)
        } catch { throw Refusal(error) }
        guard let found else { throw Self.ended }
        return found
    }

    /// Signs in the admin of a pending sign-in, and counts the attempt as one with a password is counted.
    ///
    /// - Returns: the secret of a new session, for the browser's cookie.
    package func finishSignIn(
        _ secret: String, by proof: Proof, from origin: String
    ) async throws(Refusal) -> String {
        let pending = try await pendingSignIn(secret)
        guard pending.session == nil else { throw Self.ended }
        guard let account = try await countSignIn(by: pending.admin, from: origin) else { throw Self.wrong }
        return try await begin(account, by: proof, pending: pending.hash, from: origin)
    }

    /// Binds a phone to the admin of a pending sign-in; it replaces the one before.
    package func finishBinding(
        _ secret: String, to phone: CredentialHash, from origin: String
    ) async throws(Refusal) {
        let pending = try await pendingSignIn(secret)
        let now = authority.clock.now
        let line = try await line("console.bind-phone", of: pending.admin, at: now, from: origin)
        let isBound: Bool
        do throws(StoreError) {
            isBound = try await store.bindPhone(phone, pending: pending, at: now, audit: line)
        } catch { throw Refusal(error) }
        guard isBound else { throw Self.ended }
    }

    /// The phone that signs an admin in; `nil` if none is bound.
    package func phone(of caller: Caller) async throws(Refusal) -> ConsolePhone? {
        do throws(StoreError) { return try await store.consolePhones().first { $0.admin == caller.name } } catch {
            throw Refusal(error)
        }
    }

    /// Lets an admin's own phone sign in no more.
    package func removeOwnPhone(by caller: Caller) async throws(Refusal) {
        let line = try await line(
            "console.remove-phone", of: caller.name, at: authority.clock.now, from: caller.origin)
        do throws(StoreError) { _ = try await store.removePhone(of: caller.name, audit: line) } catch {
            throw Refusal(error)
        }
    }
}
