import BenjiPolicy
@_spi(Server) package import BenjiProtocol
import Requests
package import ShortMessages
import Sightings
package import Store

/// Gives out texts that people send from their phones to the operator's service number, and keeps who sent one
/// (decision 50).
///
/// The sender's number is as good as the SMSC that names it. So a message counts only over a sender whose SMSC was
/// configured for it, for numbers of the carriers that it may speak for.
package struct SMSUpstream: Sendable {
    /// The operator's settings.
    package struct Settings: Hashable, Sendable {
        /// The service number, as people dial it: 3 to 20 digits. With `nil` there are no logins by a message.
        package var number: String?
        /// For which carriers' numbers the SMSC of each sender speaks, by the sender's name.
        package var carriers: [String: Set<Carrier>] = [:]
        package var lifetime = Duration.seconds(300)
        /// Texts of one app in a day (UTC+8).
        package var perAppAndDay = 10_000
        /// Texts in an hour that phones at one address, or in one /64, ask for.
        package var perPhoneAddressAndHour = 60
        /// The text that the person sends: ``codePlaceholder`` becomes the code, ``appPlaceholder`` the app's name.
        package var text = "我要登录 {{app}}，不是替别人发送：{{code}}"
        package static let codePlaceholder = "{{code}}"
        package static let appPlaceholder = "{{app}}"
        /// Units of UTF-16 that a message of any alphabet holds: a longer text comes in parts.
        package static let unitsOfMessage = 70
        /// Units of UTF-16 that are left for the app's name at least.
        package static let leastUnitsOfName = 12

        /// Units of UTF-16 that are left for words.
        package static let unitsOfWords = unitsOfMessage - codeLength - leastUnitsOfName

        /// Whether people can send this text. The app's name in it warns those who are talked into sending it.
        package static func isGood(text: String) -> Bool {
            let words = text.replacing(codePlaceholder, with: "").replacing(appPlaceholder, with: "")
            return [codePlaceholder, appPlaceholder].allSatisfy {
                text.split(
                    separator: $0, omittingEmptySubsequences: false
                ).count == 2
            }
                && words.utf16.count <= unitsOfWords && !text.contains(where: \.isNewline)
        }

        package init() {}
    }

    /// A code has 80 bits: it cannot be guessed, and texts of many apps and phones never collide.
    package static let codeLength = 16
    /// Without characters that look like others. As many as a byte's five bits.
    static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    /// Seconds until a phone asks again about its text.
    static let pollInterval: Int64 = 3
    /// Messages of one number in ten minutes that are looked at by one process.
    static let messagesPerNumber = 30

    let settings: Settings
    let authority: Authority
    let store: any SMSUpstreamStore
    private let heard: RateLimiter
    private let observer: @Sendable (_ sender: String, Outcome) -> Void

    /// - Parameter observer: gets the outcome of each message over a sender whose messages count. It must not wait.
    package init(
        settings: Settings, authority: Authority, store: any SMSUpstreamStore,
        observer: @escaping @Sendable (_ sender: String, Outcome) -> Void = { _, _ in }
    ) {
        self.observer = observer
        self.settings = settings
        self.authority = authority
        self.store = store
        heard = RateLimiter(
            limit: Self.messagesPerNumber, window: .seconds(600),
            capacity: authority.configuration.rememberedCallers)
    }

    // MARK: the text

    /// A text for this phone to send, once it is kept.
    ///
    /// - Parameter source: the source whose budget is charged; `nil` for none.
    func issue(
        for app: AppRecord, deviceKey: String, source: String?, trace: TraceID
    ) async throws(Refusal) -> (id: SMSTransactionID, text: String) {
        let now = authority.expiryClock.now
        let id = SMSTransactionID(random: authority.random)
        let text = Self.text(settings.text, code: Self.draw(authority.random), app: app.shownName)
        let record = SMSUpstreamRecord(
            id: id, appID: app.id, text: authority.vault.smsUpstreamText(Self.withoutSpace(text)),
            device: authority.vault.smsUpstreamDevice(deviceKey, of: id, app: app.id), trace: trace, issuedAt: now,
            expiresAt: now + settings.lifetime)
        let usedUp: SMSBudget.Kind?
        do { usedUp = try await store.issueSMSUpstream(record, budgets: budgets(app.id, source, at: now)) } catch {
            throw Refusal(error)
        }
        let refusal: Refusal? =
            switch usedUp {
            case nil: nil
            case .app: Refusal(.quotaExceeded, "the app's texts of today are used up", trace: trace)
            case .prefix, .source:
                Refusal(.tooManyRequests, "this address asked for too many texts in this hour", trace: trace)
            }
        if let refusal {
            if authority.mayTraceRefusal(of: "sms \(app.id)") {
                await note(trace, "sms.text", refusal.situation, refusal.detail)
            }
            throw refusal
        }
        await note(trace, "sms.text", .success, "a text to send was given out")
        return (id, text)
    }

    private func budgets(_ app: AppID, _ source: String?, at now: Timestamp) -> [SMSBudget] {
        var budgets = [
            // From midnight in UTC+8, as quotas.
            authority.smsBudget(.app, "texts \(app)", settings.perAppAndDay, of: 86400, ahead: 8 * 3600, at: now)
        ]
        if let source {
            budgets.append(
                authority.smsBudget(
                    .source, "texts for \(source)", settings.perPhoneAddressAndHour, of: 3600, at: now))
        }
        return budgets
    }

    static func draw(_ random: any RandomSource) -> String {
        String(random.bytes(codeLength).map { alphabet[Int($0 & 31)] })
    }

    /// The words with the code and the app's name, which is cut where the message would otherwise come in parts.
    static func text(_ words: String, code: String, app: String) -> String {
        let bare = words.replacing(Settings.codePlaceholder, with: code).replacing(Settings.appPlaceholder, with: "")
        var room = Settings.unitsOfMessage - bare.utf16.count
        if app.utf16.count <= room { return fill(words, code, app) }
        room -= 1
        var name = ""
        for character in app {
            room -= character.utf16.count
            if room < 0 { break }
            name.append(character)
        }
        return fill(words, code, name + "…")
    }

    private static func fill(_ words: String, _ code: String, _ app: String) -> String {
        // The code last: no app's name has a place for it.
        words.split(separator: Settings.codePlaceholder, omittingEmptySubsequences: false)
            .map { $0.replacing(Settings.appPlaceholder, with: app) }.joined(separator: code)
    }

    /// The text to be compared: phones and SMSCs add and drop white space.
    static func withoutSpace(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isWhitespace }))
    }

    /// Whether its words are in sight before it is sent: one line, and hardly more white space than a text of ours has.
    static func isPlain(_ text: String, like words: String) -> Bool {
        func spaces(_ text: String) -> Int { text.unicodeScalars.count { $0.properties.isWhitespace } }
        let scalars = text.unicodeScalars
        let end = scalars.lastIndex { !$0.properties.isWhitespace } ?? scalars.startIndex
        // The app's name has spaces too, and phones and SMSCs add some.
        return spaces(text) <= spaces(words) + Settings.leastUnitsOfName
            && !scalars[..<end].contains { Character($0).isNewline }
    }

    // MARK: its outcome

    func record(
        of id: String, app: AppID, deviceKey: String, spends: Bool
    ) async throws(Refusal) -> (record: SMSUpstreamRecord, hasArrived: Bool) {
        let unknown = Refusal(.codeUnknown, "this phone was given no such text")
        guard let id = SMSTransactionID(rawValue: id) else { throw unknown }
        let question = SMSUpstreamQuestion(
            id: id, appID: app, device: authority.vault.smsUpstreamDevice(deviceKey, of: id, app: app),
            now: authority.expiryClock.now)
        let standing: SMSUpstreamStanding
        do {
            standing =
                try await spends ? store.spendSMSUpstream(question) : store.standing(of: question)
        } catch { throw Refusal(error) }
        switch standing {
        case .unknown: throw unknown
        case .arrived(let record): return (record, true)
        case .awaited(let record): return (record, false)
        case .alreadySpent(let record):
            throw Refusal(.codeExpired, "the text was used before", trace: record.trace)
        case .ended(let record):
            throw Refusal(
                .codeExpired, "the text came from two numbers, or the database was restored", trace: record.trace)
        case .expired(let record): throw Refusal(.codeExpired, "the text has expired", trace: record.trace)
        }
    }

    func note(
        _ trace: TraceID, _ step: String, _ situation: Situation, _ detail: String, _ login: TraceEvent.Login? = nil
    ) async {
        await authority.tracer.record([authority.tracer.event(trace, .authority, step, situation, detail, of: login)])
    }
}

// MARK: messages

extension SMSUpstream {
    /// The outcome of a message, as metrics name it.
    package enum Outcome: String, Sendable {
        /// The first with its text.
        case arrived
        /// Its text came from another number before, and logs in no phone now.
        case contested
        /// Its text came from the same number before.
        case repeated
        /// Its text was used, has ended or has expired.
        case late
        /// Its text was given to no phone.
        case unknown
        /// It is no text of ours, or was sent to another number.
        case foreign
        /// The number has sent too many.
        case throttled
    }

    /// Keeps the sender of a text, whichever process gave it out. `true` means that it is durable, or that the message
    /// is of no use and would not be the next time.
    func hear(_ message: ReceivedShortMessage) async -> Bool {
        // Only these senders' words count, so only theirs are counted.
        guard let carriers = settings.carriers[message.sender] else { return true }
        let text = Self.withoutSpace(message.text)
        guard isForUs(message), Self.isPlain(message.text, like: settings.text), Self.mayHoldCode(text) else {
            return count(.foreign, message.sender)
        }
        let number = authority.vault.smsIndex(of: message.from)
        guard heard.admits(Base64URL.encode(number.bytes), now: authority.expiryClock.now) else {
            return count(.throttled, message.sender)
        }
        let outcome: SMSUpstreamArrivalOutcome
        var holder: SubscriptionRecord?
        do throws(StoreError) {
            let row = try await authority.vault.subscription(of: message.from, in: authority.store)
            // An SMSC speaks for its own subscribers. Whatever it says of others came from elsewhere.
            holder = row.flatMap { carriers.contains($0.carrier) ? $0 : nil }
            outcome = try await store.noteSMSUpstream(
                SMSUpstreamArrival(
                    text: authority.vault.smsUpstreamText(text), number: number, subscription: holder?.reference,
                    now: authority.expiryClock.now))
        } catch { return false }
        return count(await note(outcome, from: holder, by: message.sender), message.sender)
    }

    private func note(
        _ outcome: SMSUpstreamArrivalOutcome, from holder: SubscriptionRecord?, by sender: String
    ) async -> Outcome {
        switch outcome {
        case .arrived(let record):
            let login = holder.map { TraceEvent.Login(app: record.appID, subscription: $0.id, epoch: $0.epoch) }
            let detail =
                holder == nil ? "from a number that it does not speak for, or that is not in the register" : "in time"
            await note(
                record.trace, "sms.arrive", holder == nil ? .numberNotServed : .success,
                "the text came by \(sender), \(detail)", login)
            return .arrived
        case .contested(let record):
            await note(record.trace, "sms.arrive", .codeExpired, "the text came from a second number, and ended")
            return .contested
        case .repeated: return .repeated
        case .late(let record):
            if authority.mayTraceRefusal(of: "sms \(record.id)") {
                await note(record.trace, "sms.arrive", .codeExpired, "the text came after its end")
            }
            return .late
        case .unknown: return .unknown
        }
    }

    /// Whether it was sent to the service number: SMSCs write it with the country code or without.
    private func isForUs(_ message: ReceivedShortMessage) -> Bool {
        guard let number = settings.number else { return false }
        return [number, "86" + number, "+86" + number].contains(message.to)
    }

    /// Whether a text of ours could be this: what people write otherwise does not reach the store.
    static func mayHoldCode(_ text: String) -> Bool {
        guard text.utf16.count <= Settings.unitsOfMessage else { return false }
        var run = 0
        for character in text {
            run = alphabet.contains(character) ? run + 1 : 0
            if run == codeLength { return true }
        }
        return false
    }

    private func count(_ outcome: Outcome, _ sender: String) -> Bool {
        observer(sender, outcome)
        return true
    }
}
