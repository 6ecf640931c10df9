package import BenjiProtocol
package import Store

/// An authority's answer to a question of a gateway's own.
///
/// A bare refusal, of any status, is about the gateway.
package enum LinkAnswer: Sendable {
    case answer(JSON)
    /// The register's no to the gateway: nothing was noted, or nothing is known.
    case storeError(StoreError)

    package var json: JSON {
        switch self {
        case .answer(let json): .object(["answer": json])
        case .storeError(let error):
            .object(["storeError": .object(["code": .string(error.code.rawValue), "detail": .string(error.detail)])])
        }
    }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        let answer = reader.optional("answer")
        let storeError = reader.optional("storeError")
        try reader.finish()
        switch (answer, storeError) {
        case (let answer?, nil): self = .answer(answer)
        case (nil, let storeError?):
            var error = try JSONObjectReader(storeError, path: "$.storeError")
            self = .storeError(
                StoreError(
                    StoreError.Code(rawValue: try error.string("code", length: 1...64)),
                    try error.string("detail", length: 0...1024)))
            try error.finish()
        default: throw JSONError(place: "$", problem: "must hold either answer or storeError")
        }
    }
}

extension LinkAnswer: CustomStringConvertible, CustomReflectable {
    package var description: String {
        switch self {
        case .answer: "LinkAnswer(answer)"
        case .storeError(let error): "LinkAnswer(\(error))"
        }
    }

    /// Without children: an answer names subscriptions.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
