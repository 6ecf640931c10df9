import BenjiClient
import BenjiPage
import BenjiPolicy
import BenjiProtocol
import Catalogue
import Sandbox

/// The phones as values for the page's templates.
struct SandboxView {
    let language: Language
    let phones: [SandboxWorld.ConnectedPhone]
    /// The phone that is looked at.
    let current: SandboxWorld.ConnectedPhone?
    let outcome: AppLogin?
    let servers: SandboxServers
    let ownApp: OwnApp
    /// The short messages of the phone that is looked at, newest first.
    let texts: [ReceivedText]
    /// The error in the developer's input about their own app.
    let problem: String?
    /// Where somebody can log in by face; `nil` where the demo has no face login.
    let facePage: String?
    let hasConsole: Bool
    /// The page's origin as the browser sees it: `http://127.0.0.1:8000`.
    let origin: String

    init(
        _ language: Language, of world: SandboxWorld, at origin: String, current: String?, outcome: AppLogin? = nil,
        problem: String? = nil
    ) async {
        let servers = world.servers
        let phones = await world.phones.map { $0.seen(at: origin, of: servers) }
        self.servers = servers
        ownApp = await world.ownApp
        facePage = await world.facePage
        hasConsole = await world.console != nil
        self.problem = problem
        self.origin = origin
        self.language = language
        self.phones = phones
        let chosen = phones.first { $0.phone.id == current } ?? phones.first
        self.current = chosen
        texts = chosen.map { world.messages(to: $0.phone) } ?? []
        self.outcome = outcome
    }

    var values: [String: Any] {
        var values: [String: Any] = [
            "t": SandboxStrings.all(language), "lang": language.rawValue,
            "designer": SandboxPages.designer + (language == .english ? "?lang=en" : "?lang=zh"),
            "isChinese": language == .simplifiedChinese,
            "isEnglish": language == .english, "canAdd": phones.count < SandboxWorld.maximumPhones,
            "canRemove": phones.count > 1,
            "phones": phones.map { connected -> [String: Any] in
                [
                    "id": connected.phone.id, "name": name(connected.phone),
                    "isCurrent": connected.phone.id == current?.phone.id,
                    "sim": SandboxStrings.name(connected.phone.tray).0[language],
                    "network": SandboxStrings.name(connected.phone.network).0[language],
                    "hasFault": connected.phone.fault != nil,
                ]
            },
        ]
        if let current { values["phone"] = phone(current) }
        values["own"] = own()
        values["tries"] = tries()
        return values
    }

    /// The page's, which shows what the phone's own browser shows.
    var policy: String {
        SandboxGuard.policy(
            showing: current.map { [$0.ports.framedShop.origin, $0.ports.framedPages.origin] } ?? [])
    }

    /// For the messages alone.
    var phoneValues: [String: Any] {
        ["t": SandboxStrings.all(language)].merging(current.map { phone($0) } ?? [:]) { $1 }
    }

    private func phone(_ connected: SandboxWorld.ConnectedPhone) -> [String: Any] {
        let phone = connected.phone
        var values: [String: Any] = [
            "id": phone.id, "name": name(phone), "number": phone.card.maskedNumber,
            "address": phone.way(of: .browser)?.source.description ?? SandboxStrings.page["noWay", language],
            "carrier": phone.card.carrier.map { SandboxStrings.carrier($0)[language] }
                ?? SandboxStrings.name(SIMTray.unsupported).0[language],
            "networkName": SandboxStrings.name(phone.network).0[language], "shop": connected.ports.shop.origin + "/",
            "proxy": connected.ports.proxy.origin, "shopServer": servers.shop.origin + "/",
            "hasCellular": phone.network != .wifi, "hasWiFi": phone.network == .wifi || phone.network == .both,
            "isVPN": phone.network == .vpn, "isRoaming": phone.network == .roaming,
            "isWeak": phone.network == .weak, "isDual": phone.tray == .dual,
            "slots": [1, 2].map { slot -> [String: Any] in
                [
                    "value": String(slot), "isChosen": phone.dataSlot == slot,
                    "name": SandboxStrings.page[slot == 1 ? "slot1" : "slot2", language],
                ]
            },
            "sims": SIMTray.allCases.map { tray in
                var names = SandboxStrings.name(tray)
                let mask = tray.card(phone: phone.position, dataSlot: 1).maskedNumber
                if names.1.english.isEmpty { names.1 = LocalizedText(mask, mask) }
                return choice(tray.rawValue, names, isChosen: tray == phone.tray)
            },
            "networks": PhoneNetwork.allCases.map { network in
                choice(network.rawValue, SandboxStrings.name(network), isChosen: network == phone.network)
            }, "hasFault": phone.fault != nil,
        ]
        values.merge(fault(phone.fault)) { first, _ in first }
        if let outcome { values["outcome"] = self.outcome(outcome) }
        values["texts"] = texts.map { ["time": SandboxTemplates.time($0.at), "text": $0.text] }
        return values
    }

    private func name(_ phone: SandboxPhone) -> String {
        phone.givenName ?? LocalizedText("手机 \(phone.position)", "Phone \(phone.position)")[language]
    }

    private func choice(_ value: String, _ names: (LocalizedText, LocalizedText), isChosen: Bool) -> [String: Any] {
        ["value": value, "name": names.0[language], "note": names.1[language], "isChosen": isChosen]
    }

    // MARK: - The fault

    private func fault(_ fault: SandboxFault?) -> [String: Any] {
        var code = Situation.addressUnknown
        var milliseconds: Int64 = 3000
        var words = ""
        if let fault {
            words = SandboxStrings.name(fault.kind.name)[language]
            switch fault.kind {
            case .code(let situation):
                code = situation
                words = situation.rawValue
            case .delay(let delay):
                milliseconds = delay.wholeMilliseconds
                words += " \(milliseconds) ms"
            case .drop: break
            }
            words = "\(SandboxStrings.name(fault.step)[language]): \(words)"
            if let times = fault.times { words += " (×\(times))" }
        }
        let step = fault?.step ?? .page
        let kind = fault?.kind.name ?? .code
        return [
            "faultNow": words, "milliseconds": String(milliseconds),
            "steps": SandboxStep.allCases.map { each -> [String: Any] in
                ["value": each.rawValue, "name": SandboxStrings.name(each)[language], "isChosen": each == step]
            },
            "kinds": SandboxFault.KindName.allCases.map { each -> [String: Any] in
                ["value": each.rawValue, "name": SandboxStrings.name(each)[language], "isChosen": each == kind]
            },
            "groups": FaultGroups.all.map { group -> [String: Any] in
                [
                    "title": group.title[language],
                    "codes": group.codes.map { each -> [String: Any] in
                        let entry = Catalogue.entry(each.rawValue, in: .device)?[language]
                        return [
                            "value": each.rawValue, "name": entry?.meaning ?? "", "isChosen": each == code,
                            "cause": entry?.cause ?? "", "remedy": entry?.remedy ?? "",
                        ]
                    },
                ]
            },
        ]
    }

    private func outcome(_ login: AppLogin) -> [String: Any] {
        if let mask = login.maskedNumber {
            return [
                "isGood": true,
                "text": LocalizedText("已登录，号码 \(mask)", "Logged in as \(mask)")[language],
            ]
        }
        let outcome = Self.outcome(login, language)
        return [
            "isGood": false,
            "text": LocalizedText(
                "没有登录：\(outcome.code) \(outcome.meaning)", "Not logged in: \(outcome.code), \(outcome.meaning)")[
                    language],
        ]
    }

    /// The code of a login that failed, with its meaning and remedy.
    static func outcome(_ login: AppLogin, _ language: Language) -> (code: String, meaning: String, remedy: String) {
        let isRedeemed = login.situation == .success
        let code = isRedeemed ? login.redeemCode ?? "" : login.situation.rawValue
        let entry = Catalogue.entry(code, in: isRedeemed ? .cmPhone : .device)?[language]
        return (code, entry?.meaning ?? "", entry?.remedy ?? "")
    }
}

extension [String: LocalizedText] {
    subscript(name: String, language: Language) -> String { self[name]?[language] ?? name }
}

extension SandboxStrings {
    static func carrier(_ carrier: Carrier) -> LocalizedText {
        CarrierPolicy.standard.carriers[carrier]?.name ?? LocalizedText(carrier.rawValue)
    }
}
