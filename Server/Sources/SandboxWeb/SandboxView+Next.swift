import Sandbox

extension SandboxView {
    /// Suggestions for the phone in its present state, the most instructive first.
    func tries() -> [[String: Any]] {
        guard let phone = current?.phone else { return [] }
        func word(_ name: String) -> String { SandboxStrings.page[name, language] }
        func form(_ text: String, _ fields: [(String, String)], at place: String = "") -> [String: Any] {
            [
                "text": word(text), "isForm": true, "action": "/phones/\(phone.id)\(place)", "button": word("try"),
                "fields": fields.map { ["name": $0.0, "value": $0.1] },
            ]
        }
        var tries: [[String: Any]] = []
        if phone.fault != nil {
            tries.append(
                form("tryNormal", [("action", "clear"), ("network", PhoneNetwork.cellular.rawValue)], at: "/fault"))
        } else if phone.network != .cellular {
            tries.append(form("tryNormal", [("network", PhoneNetwork.cellular.rawValue)]))
        }
        if phone.network != .wifi { tries.append(form("tryWiFi", [("network", PhoneNetwork.wifi.rawValue)])) }
        if phone.network != .vpn { tries.append(form("tryVPN", [("network", PhoneNetwork.vpn.rawValue)])) }
        if phone.tray != .dual { tries.append(form("tryDual", [("sim", SIMTray.dual.rawValue)])) }
        if phone.fault == nil {
            tries.append(
                form(
                    "trySpent",
                    [("step", "redeem"), ("kind", "code"), ("code", "token_spent"), ("times", "1")], at: "/fault"))
            tries.append(form("tryLost", [("step", "authorize"), ("kind", "drop"), ("times", "1")], at: "/fault"))
        }
        if let facePage {
            tries.append(["text": word("tryFace"), "isLink": true, "address": facePage])
        } else {
            tries.append(["text": word("tryFaceCommand"), "isCommand": true, "command": "benji demo --face"])
        }
        if hasConsole { tries.append(["text": word("tryConsole"), "isConsole": true, "button": word("try")]) }
        tries.append(["text": word("tryOwn")])
        return tries
    }
}
