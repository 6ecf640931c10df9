import BenjiClient
import BenjiPage
import BenjiPolicy
import BenjiProtocol
import Catalogue
import Sandbox

/// What the page shows of the phones, as values for its templates.
struct SandboxView {
    let language: Language
    let phones: [SandboxWorld.ConnectedPhone]
    /// The phone that is looked at.
    let current: SandboxWorld.ConnectedPhone?
    let outcome: AppLogin?
    let servers: SandboxServers
    let ownApp: OwnApp
    /// What is wrong with what somebody wrote about their own app.
    let problem: String?

    init(
        _ language: Language, of world: SandboxWorld, current: String?, outcome: AppLogin? = nil,
        problem: String? = nil
    ) async {
        let phones = await world.phones
        servers = world.servers
        ownApp = await world.ownApp
        self.problem = problem
        self.language = language
        self.phones = phones
        self.current = phones.first { $0.phone.id == current } ?? phones.first
        self.outcome = outcome
    }

    var values: [String: Any] {
        var values: [String: Any] = [
            "t": SandboxWords.all(language), "lang": language.rawValue, "isChinese": language == .simplifiedChinese,
            "isEnglish": language == .english, "canAdd": phones.count < SandboxWorld.maximumPhones,
            "canRemove": phones.count > 1,
            "phones": phones.map { connected -> [String: Any] in
                [
                    "id": connected.phone.id, "name": name(connected.phone),
                    "isCurrent": connected.phone.id == current?.phone.id,
                    "sim": SandboxWords.name(connected.phone.tray).0[language],
                    "network": SandboxWords.name(connected.phone.network).0[language],
                    "hasFault": connected.phone.fault != nil,
                ]
            },
        ]
        if let current { values["phone"] = phone(current) }
        values["own"] = own()
        return values
    }

    private func phone(_ connected: SandboxWorld.ConnectedPhone) -> [String: Any] {
        let phone = connected.phone
        var values: [String: Any] = [
            "id": phone.id, "name": name(phone), "number": phone.card.maskedNumber,
            "address": phone.way(of: .browser)?.source.description ?? SandboxWords.page["noWay", language],
            "carrier": phone.card.carrier.map { SandboxWords.carrier($0)[language] }
                ?? SandboxWords.name(SIMTray.unsupported).0[language],
            "networkName": SandboxWords.name(phone.network).0[language], "shop": connected.ports.shop.origin + "/",
            "proxy": connected.ports.proxy.origin, "shopServer": servers.shop.origin + "/",
            "hasCellular": phone.network != .wifi, "hasWiFi": phone.network == .wifi || phone.network == .both,
            "isVPN": phone.network == .vpn, "isRoaming": phone.network == .roaming,
            "isWeak": phone.network == .weak, "isDual": phone.tray == .dual,
            "slots": [1, 2].map { slot -> [String: Any] in
                [
                    "value": String(slot), "isChosen": phone.dataSlot == slot,
                    "name": SandboxWords.page[slot == 1 ? "slot1" : "slot2", language],
                ]
            },
            "sims": SIMTray.allCases.map { tray in
                var names = SandboxWords.name(tray)
                let mask = tray.card(phone: phone.position, dataSlot: 1).maskedNumber
                if names.1.english.isEmpty { names.1 = LocalizedText(mask, mask) }
                return choice(tray.rawValue, names, isChosen: tray == phone.tray)
            },
            "networks": PhoneNetwork.allCases.map { network in
                choice(network.rawValue, SandboxWords.name(network), isChosen: network == phone.network)
            }, "hasFault": phone.fault != nil,
        ]
        values.merge(fault(phone.fault)) { first, _ in first }
        if let outcome { values["outcome"] = self.outcome(outcome) }
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
            words = SandboxWords.name(fault.kind.name)[language]
            switch fault.kind {
            case .code(let situation):
                code = situation
                words = situation.rawValue
            case .delay(let delay):
                milliseconds = delay.wholeMilliseconds
                words += " \(milliseconds) ms"
            case .drop: break
            }
            words = "\(SandboxWords.name(fault.step)[language]): \(words)"
            if let times = fault.times { words += " (×\(times))" }
        }
        let step = fault?.step ?? .page
        let kind = fault?.kind.name ?? .code
        return [
            "faultNow": words, "milliseconds": String(milliseconds),
            "steps": SandboxStep.allCases.map { each -> [String: Any] in
                ["value": each.rawValue, "name": SandboxWords.name(each)[language], "isChosen": each == step]
            },
            "kinds": SandboxFault.KindName.allCases.map { each -> [String: Any] in
                ["value": each.rawValue, "name": SandboxWords.name(each)[language], "isChosen": each == kind]
            },
            "codes": SandboxFault.codes.map { each -> [String: Any] in
                ["value": each.rawValue, "name": meaning(of: each.rawValue, in: .device), "isChosen": each == code]
            },
        ]
    }

    private func meaning(of code: String, in table: CodeTable) -> String {
        Catalogue.entry(code, in: table)?[language].meaning ?? ""
    }

    private func outcome(_ login: AppLogin) -> [String: Any] {
        if let mask = login.maskedNumber {
            return [
                "isGood": true,
                "text": LocalizedText("已登录，号码 \(mask)", "Logged in as \(mask)")[language],
            ]
        }
        let isRedeemed = login.situation == .success
        let code = isRedeemed ? login.redeemCode ?? "" : login.situation.rawValue
        let meaning = self.meaning(of: code, in: isRedeemed ? .cmPhone : .device)
        return [
            "isGood": false,
            "text": LocalizedText("没有登录：\(code) \(meaning)", "Not logged in: \(code), \(meaning)")[language],
        ]
    }
}

extension [String: LocalizedText] {
    subscript(name: String, language: Language) -> String { self[name]?[language] ?? name }
}

extension SandboxWords {
    static func carrier(_ carrier: Carrier) -> LocalizedText {
        CarrierPolicy.standard.carriers[carrier]?.name ?? LocalizedText(carrier.rawValue)
    }
}
