import BenjiPolicy
@_spi(Server) package import BenjiProtocol
import Logging
package import Requests
package import ShortMessages
import Sightings
package import Store

/// Sends codes by SMS, and verifies them. A code is a credential (decision 46). It is kept before its message is handed
/// over, at most once, and spent by the write that compares it.
package struct SMSCodes: Sendable {
    /// How long codes are kept: as long as they count against their number.
    package static let memory = day
    private static let day = Duration.seconds(86400)

    /// The operator's settings.
    package struct Settings: Hashable, Sendable {
        /// Of a code.
        package static let digitCounts = 4...10
        package var digits = 6
        package var lifetime = Duration.seconds(300)
        /// Wrong codes before a code ends.
        package var tries = 5
        /// Messages to one number, of all apps.
        package var perMinute = 5
        package var perDay = 10
        /// Messages of one app in a day (UTC+8).
        package var perAppAndDay = 10_000
        /// Messages in an hour to the numbers that differ in the last four digits alone.
        package var perPrefixAndHour = 100
        /// Messages in an hour that one server address asks for.
        package var perSourceAndHour = 1000
        /// Messages in an hour that phones at one address, or in one /64, ask for.
        package var perPhoneAddressAndHour = 60
        /// The text of a login's message: ``codePlaceholder`` becomes the digits, ``appPlaceholder`` the app's name.
        package var loginText = "验证码 {{code}}，用于登录 {{app}}。请勿告诉任何人。"
        package static let codePlaceholder = "{{code}}"
        package static let appPlaceholder = "{{app}}"
        /// How numbers begin that messages are sent to, country code first: "86".
        package var destinations = ["86"]

        package init() {}
    }

    /// One code that is to be sent.
    package struct Order: Sendable {
        package var app: AppRecord
        package var purpose: TokenPurpose
        package var number: PhoneNumber
        package var trace: TraceID
        /// The source whose budget is charged; `nil` for none.
        package var source: String?
        /// Thumbprint of the device key that alone may show the code; `nil` for a code that an app's server shows.
        /// Anyone can hold such a key, so it is not told what the register knows of the number.
        package var deviceKey: String?
        /// By what the code is to be known; `nil` to have it drawn.
        package var id: SMSTransactionID?
        /// The message's text with these digits in it.
        package var text: @Sendable (_ digits: String) -> String

        package init(
            app: AppRecord, purpose: TokenPurpose, number: PhoneNumber, trace: TraceID, source: String?,
            deviceKey: String? = nil, id: SMSTransactionID? = nil,
            text: @escaping @Sendable (_ digits: String) -> String
        ) {
            self.id = id
            self.app = app
            self.purpose = purpose
            self.number = number
            self.trace = trace
            self.source = source
            self.deviceKey = deviceKey
            self.text = text
        }
    }

    package let settings: Settings
    let authority: Authority
    let store: any SMSCodeStore
    /// `nil` where the installation sends no messages.
    let sender: (any ShortMessageSender)?
    /// `nil` if the installation has no login by a message from the phone.
    let upstream: SMSUpstream?
    /// Messages without a code, of one app in a day and to one prefix in an hour.
    let noticesOfApps: RateLimiter
    let noticesOfPrefixes: RateLimiter
    /// Receipts that a phone may have written, of one phone in ten minutes.
    private let receiptsOfPhones: RateLimiter
    /// How long the caller waits for a sender.
    static let patience = Duration.seconds(10)
    /// How long a receipt waits for the answer to its message, which may come after it.
    private let pause: @Sendable () async -> Void

    package init(
        settings: Settings = Settings(), authority: Authority, store: any SMSCodeStore,
        sender: (any ShortMessageSender)?, upstream: SMSUpstream? = nil,
        pause: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(2)) }
    ) {
        self.pause = pause
        self.settings = settings
        self.authority = authority
        self.store = store
        self.sender = sender
        self.upstream = upstream
        let capacity = authority.configuration.rememberedCallers
        noticesOfApps = RateLimiter(limit: settings.perAppAndDay, window: Self.day, capacity: capacity)
        noticesOfPrefixes = RateLimiter(limit: settings.perPrefixAndHour, window: .seconds(3600), capacity: capacity)
        receiptsOfPhones = RateLimiter(
            limit: SMSUpstream.messagesPerNumber, window: .seconds(600), capacity: capacity)
    }

    /// Whether there is anybody to hand messages over to.
    package var canSend: Bool { sender != nil }

    /// The name of the caller at this address. Of IPv6 the /64 counts, because a caller has all of its addresses.
    package static func source(_ address: InternetAddress) -> String {
        let network = address.family == .v6 ? IPPrefix(address: address, length: 64)?.address : nil
        return "\(network ?? address)"
    }

    // MARK: sending

    /// Sends a code. When this returns its message was accepted, or may be under way.
    ///
    /// The previous code of the same app, purpose and number is no longer valid. A refused order is not counted, except
    /// when no sender took the message: that counts for app, prefix and source.
    package func send(_ order: Order) async throws(Refusal) -> SMSTransactionID {
        var login: TraceEvent.Login?
        do throws(Refusal) {
            guard let sender else {
                throw Refusal(.messageNotSent, "this installation sends no messages", trace: order.trace)
            }
            let subscription = try await recipient(of: order)
            login = subscription.map { .init(app: order.app.id, subscription: $0.id, epoch: $0.epoch) }
            let (code, digits) = try await issue(order, to: subscription?.reference)
            let message = ShortMessage(
                to: order.number, text: order.text(digits), expiresAt: authority.clock.now + settings.lifetime)
            let detail = try await handOver(message, by: sender, of: code)
            await note(order.trace, "sms.send", .success, detail, login)
            return code.id
        } catch {
            if authority.mayTraceRefusal(of: "sms \(order.app.id)") {
                await note(order.trace, "sms.send", error.situation, error.detail, login)
            }
            throw error
        }
    }

    /// Why no message is sent to a number, or `nil`.
    func problem(with number: PhoneNumber) -> String? {
        guard settings.destinations.contains(where: number.e164.hasPrefix) else {
            return "no messages are sent to numbers that begin so"
        }
        // Spelled otherwise it could still reach the same phone, and would have separate limits.
        return number.mayBeMobile ? nil : "the number is not in a range that is assigned to mobile phones"
    }

    /// The holder of the number, if the register knows it and it may be sent messages.
    private func recipient(of order: Order) async throws(Refusal) -> SubscriptionRecord? {
        if let problem = problem(with: order.number) {
            throw Refusal(.numberNotServed, problem, trace: order.trace)
        }
        let row: SubscriptionRecord?
        do { row = try await authority.vault.subscription(of: order.number, in: authority.store) } catch {
            throw Refusal(error)
        }
        if order.deviceKey == nil, let row, authority.configuration.policy.carriers[row.carrier]?.enabled != true {
            throw Refusal(.numberNotServed, "the number's carrier is switched off", trace: order.trace)
        }
        return row
    }

    private func issue(
        _ order: Order, to subscription: SubscriptionReference?
    ) async throws(Refusal) -> (SMSCodeRecord, digits: String) {
        let now = authority.expiryClock.now
        let id = order.id ?? SMSTransactionID(random: authority.random)
        let digits = Self.draw(settings.digits, authority.random)
        let vault = authority.vault
        let code = SMSCodeRecord(
            id: id, appID: order.app.id, purpose: order.purpose, number: vault.smsIndex(of: order.number),
            code: vault.smsCode(
                digits, of: id, app: order.app.id, purpose: order.purpose, deviceKey: order.deviceKey),
            subscription: subscription, trace: order.trace, triesLeft: settings.tries, issuedAt: now,
            expiresAt: now + settings.lifetime)
        let issue = SMSCodeIssue(
            code,
            numberLimits: [
                SMSNumberLimit(count: settings.perMinute, window: .seconds(60)),
                SMSNumberLimit(count: settings.perDay, window: Self.day),
            ], budgets: budgets(order, at: now))
        let outcome: SMSCodeIssueOutcome?
        do throws(StoreError) {
            // A sent message is billed afterwards, whatever the quota is then. So the quota is checked first.
            outcome =
                try await isUsedUp(authority.quota(of: order.app, at: now), of: order.app.id, at: now)
                ? nil : store.issueSMSCode(issue)
        } catch { throw Refusal(error) }
        if outcome == .issued { return (code, digits) }
        let refusal: (situation: Situation, detail: String) =
            switch outcome {
            case .tooManyForNumber: (.tooManyCodes, "the number was sent as many codes as it may be")
            case nil, .issued: (.quotaExceeded, Refusal.quotaIsUsedUp)
            case .budgetUsedUp(.app): (.quotaExceeded, "the app's messages of today are used up")
            case .budgetUsedUp(.prefix):
                (.tooManyRequests, "numbers that begin so were sent too many messages in this hour")
            case .budgetUsedUp(.source):
                (.tooManyRequests, "this address asked for too many messages in this hour")
            }
        throw Refusal(refusal.situation, refusal.detail, trace: order.trace)
    }

    func isUsedUp(
        _ quota: AnswerQuota, of app: AppID, at moment: Timestamp
    ) async throws(StoreError) -> Bool {
        let day = CalendarDay(moment).number
        if let daily = quota.daily, try await authority.store.billed(app: app, day: day) >= daily { return true }
        guard let monthly = quota.monthly else { return false }
        return try await authority.store.billed(app: app, inMonthOf: day) >= monthly
    }

    private func budgets(_ order: Order, at now: Timestamp) -> [SMSBudget] {
        // Phones are counted separately: a copied app key could otherwise use up what servers need.
        let asker = order.deviceKey == nil ? "" : "phones "
        var budgets = [
            // From midnight in UTC+8, as quotas.
            authority.smsBudget(
                .app, asker + order.app.id.rawValue, settings.perAppAndDay, of: 86400, ahead: 8 * 3600, at: now),
            authority.smsBudget(
                .prefix, asker + order.number.e164.dropLast(4), settings.perPrefixAndHour, of: 3600, at: now),
        ]
        if let source = order.source {
            let limit = order.deviceKey == nil ? settings.perSourceAndHour : settings.perPhoneAddressAndHour
            budgets.append(authority.smsBudget(.source, source, limit, of: 3600, at: now))
        }
        return budgets
    }

    /// - Returns: what the trace says of it.
    private func handOver(
        _ message: ShortMessage, by sender: any ShortMessageSender, of code: SMSCodeRecord
    ) async throws(Refusal) -> String {
        switch await sender.send(message, before: .now + Self.patience) {
        case .accepted(let name, let reference):
            await note(.accepted(by: name, reference: MessageReference.kept(reference)), of: code)
            return "accepted by \(name)"
        case .unknown(let name): return "may be under way by \(name)"
        case .notTaken(let reason):
            await note(.notTaken, of: code)
            throw switch reason {
            case .destination:
                Refusal(.numberBlocked, "the network takes no message for this number", trace: code.trace)
            case .throttled: Refusal(.overloaded, "the sender takes no more messages for now", trace: code.trace)
            case .unavailable, .refused: Refusal(.messageNotSent, "nobody took the message", trace: code.trace)
            }
        }
    }

    private func note(_ submission: SMSCodeSubmission, of code: SMSCodeRecord) async {
        do throws(StoreError) { try await store.noteSubmission(submission, of: code.id) } catch {
            // The message is out, or is not, all the same.
            authority.logger.warning(
                "what became of an SMS code's message was not kept",
                metadata: ["trace": "\(code.trace)", "reason": "\(error)"])
        }
    }

    /// Digits of which each is as likely as any other.
    static func draw(_ count: Int, _ random: any RandomSource) -> String {
        var digits = ""
        while digits.utf8.count < count {
            // 250 is the greatest multiple of ten that a byte holds.
            for byte in random.bytes(count) where byte < 250 && digits.utf8.count < count { digits += "\(byte % 10)" }
        }
        return digits
    }

    // MARK: comparing

    /// Spends a code if these are its digits; a wrong try is counted in the same write.
    ///
    /// - Parameters:
    ///   - id: what ``send(_:)`` returned, as somebody sends it back.
    ///   - deviceKey: as of ``Order/deviceKey``. With another one the right digits are wrong.
    package func spend(
        _ digits: String, of id: String, app: AppID, purpose: TokenPurpose, deviceKey: String? = nil
    ) async throws(Refusal) -> SMSCodeRecord {
        let end = try await compare(digits, of: id, app: app, purpose: purpose, deviceKey: deviceKey)
        guard end.situation == .success else { throw Refusal(end.situation, end.detail, trace: end.record.trace) }
        return end.record
    }

    /// The result of comparing digits that a caller showed.
    package struct Comparison: Sendable {
        /// The code as it is now, with the tries that are left.
        package var record: SMSCodeRecord
        /// Success only for the write that spent the code.
        package var situation: Situation
        package var detail: String
    }

    /// Like ``spend(_:of:app:purpose:deviceKey:)``, for a caller that goes on after a wrong try. Throws if there is no
    /// such code, or the store does not answer.
    package func compare(
        _ digits: String, of id: String, app: AppID, purpose: TokenPurpose, deviceKey: String? = nil
    ) async throws(Refusal) -> Comparison {
        let unknown = Refusal(.codeUnknown, "the app had no such code sent")
        guard let id = SMSTransactionID(rawValue: id) else { throw unknown }
        let outcome: SMSCodeAttemptOutcome
        do {
            outcome = try await store.trySMSCode(
                SMSCodeAttempt(
                    id: id, appID: app, purpose: purpose,
                    code: authority.vault.smsCode(
                        digits, of: id, app: app, purpose: purpose, deviceKey: deviceKey),
                    now: authority.expiryClock.now))
        } catch { throw Refusal(error) }
        let (record, situation, detail): (SMSCodeRecord, Situation, String) =
            switch outcome {
            case .unknown: throw unknown
            case .spent(let found): (found, .success, "the code is right")
            case .wrong(let found): (found, .codeWrong, "the code is wrong; tries left: \(found.triesLeft)")
            case .alreadySpent(let found): (found, .codeExpired, "the code was used before")
            case .ended(let found): (found, .codeExpired, "a newer code took its place, or it was not sent")
            case .expired(let found): (found, .codeExpired, "the code has expired")
            case .triesUsedUp(let found): (found, .codeTriesExceeded, "too many wrong codes were shown")
            }
        if situation == .success || authority.mayTraceRefusal(of: "sms \(app)") {
            await note(record.trace, "sms.compare", situation, detail, nil)
        }
        return Comparison(record: record, situation: situation, detail: detail)
    }

    private func note(
        _ trace: TraceID, _ step: String, _ situation: Situation, _ detail: String, _ login: TraceEvent.Login?
    ) async {
        await authority.tracer.record([authority.tracer.event(trace, .authority, step, situation, detail, of: login)])
    }
}

extension SMSCodes: ShortMessageListener {
    /// Keeps what the network says with the code, whichever process sent it. A receipt that a phone may have written
    /// concerns codes of its number alone.
    package func hear(_ receipt: DeliveryReceipt) async -> ReceiptOutcome {
        let number = receipt.phone.map { authority.vault.smsIndex(of: $0) }
        if !receipt.isFromSender {
            guard let number, receiptsOfPhones.admits(Base64URL.encode(number.bytes), now: authority.expiryClock.now)
            else {
                return .unmatched
            }
        }
        let delivery = SMSCodeDelivery(
            sender: receipt.sender, references: MessageReference.candidates(receipt.reference),
            otherBases: MessageReference.otherBases(receipt.reference), number: number,
            isOfNumber: !receipt.isFromSender, state: receipt.state.rawValue, at: receipt.at)
        var record: SMSCodeRecord?
        do throws(StoreError) {
            record = try await store.noteDelivery(delivery)
            if record == nil {
                await pause()
                record = try await store.noteDelivery(delivery)
            }
        } catch { return .notKept }
        guard let record else { return .unmatched }
        let error = receipt.error.map { ", error \($0)" } ?? ""
        await note(
            record.trace, "sms.delivery", receipt.state == .delivered ? .success : .messageNotSent,
            "the network says: \(receipt.state.rawValue)\(error)", nil)
        return .matched
    }

    /// Keeps who sent a text that somebody logs in by. What else phones write is of no use.
    package func hear(_ message: ReceivedShortMessage) async -> Bool { await upstream?.hear(message) ?? true }
}
