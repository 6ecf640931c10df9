import Authority
import BenjiProtocol
import Endpoints
import Requests
import Store

/// A server's call: its members by name, signed. Where they travelled does not matter.
struct SuperIDCall {
    /// Bytes of one member.
    static let maximumMember = 4096

    let members: [String: String]

    init(_ pairs: [(name: String, value: String)]) throws(Refusal) {
        var members: [String: String] = [:]
        for (name, value) in pairs {
            guard (1...32).contains(name.utf8.count), Self.isPlain(name), value.utf8.count <= Self.maximumMember else {
                throw Refusal(.parameterInvalid, "a member's name or value is too long, or not letters")
            }
            guard members.updateValue(value, forKey: name) == nil else {
                throw Refusal(.parameterInvalid, "\(name): there twice")
            }
        }
        self.members = members
    }

    init(_ json: JSON) throws(Refusal) {
        guard case .object(let members) = json else { throw Refusal(.malformedRequest, "must be an object") }
        var pairs: [(name: String, value: String)] = []
        for member in members {
            switch member.value {
            case .string(let text), .number(let text): pairs.append((member.name, text))
            default: throw Refusal(.parameterInvalid, "every member must be a text or a number")
            }
        }
        try self.init(pairs)
    }

    private static func isPlain(_ name: String) -> Bool {
        name.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x41...0x5a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f
        }
    }

    func required(_ name: String) throws(Refusal) -> String {
        guard let value = members[name], !value.isEmpty else { throw Refusal(.parameterMissing, "\(name): missing") }
        return value
    }

    func appID() throws(Refusal) -> AppID {
        guard let text = members["app_id"] else { throw Refusal(.appIDMissing, "app_id: missing") }
        guard let id = AppID(rawValue: text) else { throw Refusal(.appUnknown, "app_id: \(AppID.rule)") }
        return id
    }

    /// The key of the app's that made the sign.
    func signer(of app: RegisteredApp) throws(Refusal) -> RegisteredKey {
        guard let sign = members["signature"] else { throw Refusal(.signMissing, "signature: missing") }
        var signed = members
        signed["signature"] = nil
        let key = app.serverKey { HexadecimalSign.areEqual(sign, SuperIDSigning.sign(signed, key: $0.reveal())) }
        guard let key else { throw Refusal(.signWrong, "the signature is wrong") }
        RequestSubject.current?.prove()
        return key
    }

    /// The request's own name and its time.
    func name() throws(Refusal) -> (name: String, sentAt: Timestamp) {
        let text = try required("timestamp")
        guard (9...11).contains(text.utf8.count), let seconds = Int64(text) else {
            throw Refusal(.timestampInvalid, "timestamp: must be seconds since 1970")
        }
        let nonce = try required("noncestr")
        guard (1...16).contains(nonce.utf8.count), Self.isPlain(nonce) else {
            throw Refusal(.parameterInvalid, "noncestr: must be 1 to 16 letters and digits")
        }
        return ("\(text) \(nonce)", Timestamp(seconds: seconds))
    }
}
