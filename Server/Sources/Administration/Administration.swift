// The orders that an installation accepts. An order defines its members, the roles that may give it and its effect. Its
// line in the audit log is in the same commit. The command line and the admin interface give orders and decide nothing.
// Begin with `Order.swift`; there is a folder for each subject, `Apps/` first.
package import Authority
import BenjiPolicy
@_spi(Server) package import BenjiProtocol
import Crypto
import Logging
package import Requests
package import Sightings
package import Store

/// The stores that orders use.
package typealias AdministrationStore = AuthorityStore & OpenIDKeyStore & FaceStore & AdminStore & TeamStore
    & SubscriberStore
    & PageReviewStore & PolicyStore & OutboxStore & ConsoleStore & RememberedConsentStore & RowCodeStore

/// Describes the record of a face account for its holder, without data of the face.
package typealias FaceDescriber = @Sendable (FaceAccountRecord, [FaceBindingRecord]) -> JSON?

/// The one place in which orders are carried out.
package struct Administration: Sendable {
    let authority: Authority
    let store: any AdministrationStore
    private let describesFace: FaceDescriber
    /// Finds the sessions that hold an address; `nil` if no gateway is in this process.
    package var findsSessions: SessionFinder?
    private let refusals = RefusalLogLimiter()
    private let numbered = NumberedRequests()
    let passwords: PasswordWork
    /// By app: what developers change leaves lines that are kept for good.
    private let developersOrders = RateLimiter(limit: Self.developersOrdersADay, window: .seconds(86_400))

    /// How many orders that change something the developers of one app may give in a day.
    package static let developersOrdersADay = 200

    /// - Parameters:
    ///   - describesFace: what a subscriber's export says of their face account; nothing where there is no face login.
    ///   - passwordCost: of new passwords of the console (``Store/PasswordHash/cost``).
    ///   - comparesPasswords: what a password of the console is compared by. A test counts here.
    package init(
        authority: Authority, store: any AdministrationStore, describesFace: @escaping FaceDescriber = { _, _ in nil },
        passwordCost: Int = PasswordWork.usualCost,
        comparesPasswords: @escaping PasswordWork.Comparison = { (password, kept) throws(Refusal) in
            try password.matches(kept)
        }
    ) {
        self.authority = authority
        self.store = store
        self.describesFace = describesFace
        passwords = PasswordWork(cost: passwordCost, comparison: comparesPasswords)
    }

    /// Those that the policy has, in its order.
    package var carriers: [Carrier] { authority.configuration.policy.order }

    /// Carries an order out, if the caller may give it, and answers what the order's documentation says.
    ///
    /// An order that changes something writes its line of the audit log in the commit of the change. A refusal has a
    /// line of its own, except beyond an hourly limit, and for a reading order that the caller may give.
    ///
    /// A named request that was carried out before is answered with `alreadyCarriedOut` and its line of the log alone.
    /// A secret that was shown then is not shown again.
    ///
    /// - Parameters:
    ///   - reason: what the caller gave as the reason; see ``OrderNote/problem(inReason:)``.
    ///   - request: what the caller calls this request, if it has a name.
    package func perform<Asked: Order>(
        _ order: Asked, by caller: Caller, reason: String? = nil, request: OrderRequest? = nil
    ) async throws(Refusal) -> JSON {
        // Written down once, and only where something is compared with it: images of a page make it large.
        let form = reason == nil && request == nil ? nil : try? OrderForm.write(order)
        let number = form?["number"]?.stringValue.flatMap { PhoneNumber($0) }
        let problem = reason.flatMap { OrderNote.problem(inReason: $0, of: number) }
        let kept = kept(Asked.changes ? request : nil, form, number, by: caller)
        let note = OrderNote(
            actor: caller.name, role: caller.role.rawValue, origin: caller.origin, order: Asked.name,
            reason: problem == nil ? reason : nil, request: kept.request)
        let context = OrderContext(
            authority: authority, store: store, caller: caller, note: note, describesFace: describesFace,
            findsSessions: findsSessions)
        do throws(Refusal) {
            try caller.check(order)
            if let problem { throw Refusal(.parameterInvalid, problem) }
            if let earlier = try await answer(context, about: kept.number) { return earlier }
            let counted = Asked.changes && caller.role == .developer ? order.app?.rawValue ?? caller.name : nil
            if let counted, !developersOrders.mayAdmit(counted, now: authority.clock.now) {
                throw Refusal(
                    .tooManyRequests,
                    "developers changed this app \(Self.developersOrdersADay) times within 24 hours; try again later")
            }
            let done = try await order.carryOut(context)
            if let counted { _ = developersOrders.admits(counted, now: authority.clock.now) }
            if let request = kept.request, let number = kept.number {
                numbered.remember(request, of: caller.name, mark: authority.vault.erasureMark(of: number))
            }
            return done
        } catch {
            // Perhaps this order was refused because another request of the same name was carried out meanwhile: look
            // for it. A caller who may not give the order is told nothing of it. If the look fails, the refusal stands.
            var refusal = error
            if error.situation != .orderNotPermitted {
                do throws(Refusal) {
                    if let earlier = try await answer(context, about: kept.number) { return earlier }
                } catch {
                    if error.situation == .messageReplayed { refusal = error }
                }
            }
            if Asked.changes || refusal.situation == .orderNotPermitted {
                await write(refusalEntry(note, refusal.situation, about: order.app, by: caller))
            }
            throw refusal
        }
    }

    /// Checks that the caller's role may give such orders, and about this app. Call it before an order is read. A
    /// refusal is written to the audit log.
    /// - Parameter app: the one in the order's address.
    package func admit<Asked: Order>(_ type: Asked.Type, by caller: Caller, about app: AppID?) async throws(Refusal) {
        let isAdmitted =
            app == nil ? type.roles.contains(caller.role) : caller.may(give: type, about: app)
        guard !isAdmitted else { return }
        let note = OrderNote(
            actor: caller.name, role: caller.role.rawValue, origin: caller.origin, order: type.name)
        await write(refusalEntry(note, .orderNotPermitted, about: app, by: caller))
        throw caller.notPermitted
    }

    /// The line is in the app's own log only if the caller may see the app.
    private func refusalEntry(
        _ note: OrderNote, _ outcome: Situation, about app: AppID?, by caller: Caller
    ) -> AuditEntry {
        let seen = app.flatMap { caller.sees($0) ? $0 : nil }
        return note.entry(
            at: authority.clock.now, app: seen, subject: seen == nil ? app.map { "app \($0)" } : nil, outcome: outcome)
    }

    /// The request as the log keeps it, and the number that its order holds. With a number the digest leaves the number
    /// out: anybody can find a number from its hash by trying all numbers.
    private func kept(
        _ request: OrderRequest?, _ form: JSON?, _ number: PhoneNumber?, by caller: Caller
    ) -> (request: OrderRequest?, number: PhoneNumber?) {
        guard var request else { return (nil, nil) }
        request.key = authority.vault.requestName(request.key, of: caller.name)
        guard let number, case .object(let members)? = form else { return (request, nil) }
        let rest = JSON.object(members.filter { $0.name != "number" }).text
        request.digest = Array(SHA256.hash(data: Array(rest.utf8)))
        return (request, number)
    }

    /// Whether the logged request held this number; `nil` if that is unknown because the number's holder was erased.
    private func isLine(
        _ line: AuditEntry, of request: OrderRequest, about number: PhoneNumber, _ context: OrderContext
    ) async throws(Refusal) -> Bool? {
        let mark = authority.vault.erasureMark(of: number)
        if let remembered = numbered.mark(of: request, of: line.actor) { return remembered == mark }
        // The line names the register's row: "subscription 7", with more words before or after it.
        let words = line.subject?.split { $0 == " " || $0 == "," } ?? []
        guard let row = words.drop(while: { $0 != "subscription" }).dropFirst().first.flatMap({ Int64($0) }) else {
            return false
        }
        // Another row of this number proves nothing about the erased one: it may be the next holder's.
        if try await context.subscription(of: number)?.id == row { return true }
        return try await context.stored { store throws(StoreError) in
            if try await store.unfinishedErasure(mark) == row { return true }
            return try await store.subscription(row) == nil ? nil : false
        }
    }

    /// Returns the answer to a request that was carried out before; `nil` if none of this name was.
    /// - Parameter number: the one that the order holds.
    private func answer(_ context: OrderContext, about number: PhoneNumber?) async throws(Refusal) -> JSON? {
        let note = context.note
        guard let request = note.request else { return nil }
        let line: AuditEntry?
        do throws(StoreError) {
            line = try await store.auditEntry(actor: note.actor, requestKey: request.key)
        } catch { throw Refusal(error) }
        guard let line else { return nil }
        var isSame: Bool? = line.order == note.order && line.request?.digest == request.digest
        if isSame == true, let number { isSame = try await isLine(line, of: request, about: number, context) }
        guard isSame == true else {
            throw Refusal(
                .messageReplayed,
                isSame == nil
                    ? "a request of yours for somebody who is erased had this name, and it is not kept whether for "
                        + "this number; give this one another name"
                    : "another request of yours had this name; give each request its own")
        }
        return .object([
            "alreadyCarriedOut": .object([
                "id": .integer(line.id), "at": .integer(line.at.milliseconds), "order": .string(line.order),
                "app": line.app.map { .string($0.rawValue) }, "subject": line.subject.map { .string($0) },
            ])
        ])
    }

    /// Writes how many refused orders had no line in an hour that has ended. To be called every minute or so.
    /// - Parameter isEnd: whether the process ends, so that the present hour counts too.
    package func writeLeftOutRefusals(isEnd: Bool = false) async {
        for line in refusals.ended(at: authority.clock.now, isEnd: isEnd) { await append(line) }
    }

    private func write(_ refusal: AuditEntry) async {
        for line in refusals.lines(for: refusal) { await append(line) }
    }

    /// A refusal that cannot be written down is refused all the same, and counted in the next line of its kind that can
    /// be.
    private func append(_ line: RefusalLogLimiter.Line) async {
        let entry = line.entry
        do throws(StoreError) { try await store.appendAudit(entry) } catch {
            refusals.keep(line)
            authority.logger.error(
                "a refused order is not in the audit log",
                metadata: [
                    "order": "\(entry.order)", "code": "\(entry.outcome.rawValue)", "refusals": "\(line.refusals)",
                ])
        }
    }
}
