internal import BenjiCatalogue
internal import BenjiClient
internal import BenjiProtocol
internal import Sandbox

/// What the page shows of the phones, as values for its templates.
struct SandboxView {
    let language: SandboxLanguage
    let lines: [SandboxWorld.Line]
    /// The phone that is looked at.
    let current: SandboxWorld.Line?
    let outcome: AppLogin?
    let servers: SandboxServers

    init(_ language: SandboxLanguage, of world: SandboxWorld, current: String?, outcome: AppLogin? = nil) async {
        let lines = await world.phones
        servers = world.servers
        self.language = language
        self.lines = lines
        self.current = lines.first { $0.phone.id == current } ?? lines.first
        self.outcome = outcome
    }

    var values: [String: Any] {
        var values: [String: Any] = [
            "t": Self.texts(language), "lang": language == .zh ? "zh-Hans" : "en", "isChinese": language == .zh,
            "isEnglish": language == .en, "canAdd": lines.count < SandboxWorld.greatestPhones,
            "canRemove": lines.count > 1,
            "phones": lines.map { line -> [String: Any] in
                [
                    "id": line.phone.id, "name": name(line.phone), "isCurrent": line.phone.id == current?.phone.id,
                    "sim": SandboxWords.name(line.phone.tray).0[language],
                    "network": SandboxWords.name(line.phone.network).0[language],
                    "hasFault": line.phone.fault != nil,
                ]
            },
        ]
        if let current { values["phone"] = phone(current) }
        return values
    }

    static func texts(_ language: SandboxLanguage) -> [String: String] {
        Dictionary(SandboxWords.page.map { ($0.key, $0.value[language]) }) { first, _ in first }
    }

    private func phone(_ line: SandboxWorld.Line) -> [String: Any] {
        let phone = line.phone
        var values: [String: Any] = [
            "id": phone.id, "name": name(phone), "number": phone.card.maskedNumber,
            "address": phone.way(of: .browser)?.source.description ?? SandboxWords.page["noWay", language],
            "carrier": phone.card.carrier.map { SandboxWords.carrier($0)[language] }
                ?? SandboxWords.name(SIMTray.unsupported).0[language],
            "networkName": SandboxWords.name(phone.network).0[language], "shop": line.ports.shop.origin + "/",
            "proxy": line.ports.proxy.origin, "shopServer": servers.shop.origin + "/",
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
                let mask = tray.card(phone: phone.place, dataSlot: 1).maskedNumber
                if names.1.en.isEmpty { names.1 = SandboxText(mask, mask) }
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
        phone.givenName ?? SandboxText("手机 \(phone.place)", "Phone \(phone.place)")[language]
    }

    private func choice(_ value: String, _ names: (SandboxText, SandboxText), isChosen: Bool) -> [String: Any] {
        ["value": value, "name": names.0[language], "note": names.1[language], "isChosen": isChosen]
    }

    // MARK: - The fault

    private func fault(_ fault: SandboxFault?) -> [String: Any] {
        var kind = "code"
        var code = Situation.addressUnknown
        var milliseconds: Int64 = 3000
        var words = ""
        if let fault {
            switch fault.kind {
            case .code(let situation): (kind, code, words) = ("code", situation, situation.rawValue)
            case .delay(let delay):
                (kind, milliseconds) = ("delay", delay.wholeMilliseconds)
                words = "\(SandboxWords.page["kindDelay", language]) \(milliseconds) ms"
            case .drop: (kind, words) = ("drop", SandboxWords.page["kindDrop", language])
            }
            words = "\(SandboxWords.name(fault.step)[language]): \(words)"
            if let times = fault.times { words += " (×\(times))" }
        }
        let step = fault?.step ?? .page
        return [
            "faultNow": words, "milliseconds": String(milliseconds),
            "steps": SandboxStep.allCases.map { each -> [String: Any] in
                ["value": each.rawValue, "name": SandboxWords.name(each)[language], "isChosen": each == step]
            },
            "kinds": [("code", "kindCode"), ("delay", "kindDelay"), ("drop", "kindDrop")].map { each -> [String: Any] in
                ["value": each.0, "name": SandboxWords.page[each.1, language], "isChosen": each.0 == kind]
            },
            "codes": Situation.allCases.filter { $0 != .success }.map { each -> [String: Any] in
                ["value": each.rawValue, "name": meaning(each), "isChosen": each == code]
            },
        ]
    }

    private func meaning(_ situation: Situation) -> String {
        let entry = Catalogue.entry(situation.rawValue, in: .device)
        return (language == .zh ? entry?.zh.meaning : entry?.en.meaning) ?? ""
    }

    private func outcome(_ login: AppLogin) -> [String: Any] {
        if let mask = login.maskedNumber {
            return [
                "isGood": true,
                "text": SandboxText("已登录，号码 \(mask)", "Logged in as \(mask)")[language],
            ]
        }
        let code = login.situation == .success ? login.redeemCode ?? "" : login.situation.rawValue
        let entry =
            login.situation == .success
            ? Catalogue.entry(code, in: .cmPhone) : Catalogue.entry(code, in: .device)
        let meaning = (language == .zh ? entry?.zh.meaning : entry?.en.meaning) ?? ""
        return [
            "isGood": false,
            "text": SandboxText("没有登录：\(code) \(meaning)", "Not logged in: \(code), \(meaning)")[language],
        ]
    }
}

extension KeyValuePairs where Key == String, Value == SandboxText {
    subscript(name: String, language: SandboxLanguage) -> String {
        first { $0.key == name }?.value[language] ?? name
    }
}

extension SandboxWords {
    static func carrier(_ carrier: Carrier) -> SandboxText {
        switch carrier {
        case .mobile: name(SIMTray.mobile).0
        case .unicom: name(SIMTray.unicom).0
        case .telecom: name(SIMTray.telecom).0
        }
    }
}
