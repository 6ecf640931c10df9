import BenjiFaceProtocol
import BenjiProtocol
import Store

/// An authority's answer over the link, to any request.
///
/// The wrapping separates the authority's decision about a phone from trouble on the link itself. A bare refusal, of
/// any status, is about the gateway, and no phone may read it as its own.
enum LinkAnswer: Sendable {
    case answer(JSON)
    /// The authority's no to the phone, to be handed on as it is.
    case refusal(DeviceFailure)
    /// The register's no to the gateway: nothing was noted, or nothing is known.
    case storeError(StoreError)

    var json: JSON {
        switch self {
        case .answer(let json): .object(["answer": json])
        case .refusal(let failure): .object(["refusal": failure.json])
        case .storeError(let error):
            .object(["storeError": .object(["code": .string(error.code.rawValue), "detail": .string(error.detail)])])
        }
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        let answer = reader.optional("answer")
        let refusal = reader.optional("refusal")
        let storeError = reader.optional("storeError")
        try reader.finish()
        switch (answer, refusal, storeError) {
        case (let answer?, nil, nil): self = .answer(answer)
        case (nil, let refusal?, nil):
            self = .refusal(try DeviceFailure(refusal, knowing: Situation.ofNumberLogin + Situation.ofFaceLogin))
        case (nil, nil, let storeError?):
            var error = try JSONObjectReader(storeError, path: "$.storeError")
            self = .storeError(
                StoreError(
                    StoreError.Code(rawValue: try error.string("code", length: 1...64)),
                    try error.string("detail", length: 0...1024)))
            try error.finish()
        default: throw JSONError(place: "$", problem: "must hold one of answer, refusal and storeError")
        }
    }
}

extension LinkAnswer: CustomStringConvertible, CustomReflectable {
    var description: String {
        switch self {
        case .answer: "LinkAnswer(answer)"
        case .refusal(let failure): "LinkAnswer(\(failure.situation.rawValue))"
        case .storeError(let error): "LinkAnswer(\(error))"
        }
    }

    /// Without children: an answer holds credentials.
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
