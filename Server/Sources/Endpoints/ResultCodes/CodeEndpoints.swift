import BenjiPage
package import BenjiProtocol
import Catalogue
import HTTPTypes
import Hummingbird
package import Requests
package import ServerHTTP

/// `/codes/CODE`: what a result code means, why it came, and what to do. Errors name this address. `/codes` lists all
/// codes.
package struct CodeEndpoints: Sendable {
    private let random: any RandomSource

    package init(random: any RandomSource = SystemRandomSource()) { self.random = random }

    /// The address of a code's page, without the host.
    package static func address(of code: String) -> String { "/codes/\(code)" }

    package var routes: [EndpointRoute] {
        [
            EndpointRoute(.get, "/codes") { request, context in list(request, context) },
            EndpointRoute(.get, Self.address(of: "{code}")) { request, context in
                page(try context.parameters.require("code"), request, context)
            },
        ]
    }

    private func list(_ request: Request, _ context: EndpointContext) -> Response {
        context.outcome.note(code: Situation.success.rawValue)
        let language = Self.language(request)
        let tables = CodeTable.allCases.map { table -> [String: Any] in
            [
                "table": table.rawValue, "source": table == .device ? "Benji" : table.source[language],
                "codes": Catalogue.entries.filter { $0.table == table }.map {
                    ["code": $0.code, "link": Self.address(of: $0.code), "meaning": $0.meaning[language]]
                },
            ]
        }
        return answer(
            .success, language, title: Self.all[language],
            ["tables": tables, "near": [String](), "entries": [String]()])
    }

    private func page(_ code: String, _ request: Request, _ context: EndpointContext) -> Response {
        let entries = Catalogue.entries(for: code)
        let near = entries.isEmpty && code.utf8.count <= 64 ? Catalogue.near(code) : []
        let situation: Situation = entries.isEmpty ? .notFound : .success
        context.outcome.note(code: situation.rawValue)
        let language = Self.language(request)
        var values: [String: Any] = [
            "entries": entries.map { entry in
                [
                    "meaning": entry.meaning[language], "cause": entry.cause[language],
                    "remedy": entry.remedy[language],
                    // Benji's own codes come from no vendor's document.
                    "source": entry.table == .device ? "" : "\(entry.table.rawValue), \(entry.table.source[language])",
                ]
            }, "near": near.map { ["code": $0, "link": Self.address(of: $0)] }, "all": Self.all[language],
            "causeWords": Self.cause[language],
            "remedyWords": Self.remedy[language],
        ]
        if entries.isEmpty {
            values["reason"] = (near.isEmpty ? Self.unknown : Self.mistyped)[language]
        }
        // A text of the caller's is not repeated.
        let title = entries.isEmpty ? Self.title[language] : code
        return answer(situation, language, title: title, values)
    }

    private func answer(
        _ situation: Situation, _ language: Language, title: String, _ values: [String: Any]
    ) -> Response {
        let nonce = CredentialGrammar.openID.make(random: random)
        var response = Response.page(
            SmallPage(.codes, language, title: title, values).document(nonce: nonce), status: situation.httpStatus,
            policy: SmallPage.policy(nonce: nonce))
        response.headers[.vary] = "Accept-Language"
        return response
    }

    private static func language(_ request: Request) -> Language {
        Language(wanted: AcceptLanguage.tags(request.headers[.acceptLanguage] ?? ""))
    }

    private static let all = LocalizedText("全部结果码", "全部結果碼", "All result codes")
    private static let title = LocalizedText("没有这个结果码", "沒有這個結果碼", "No such result code")
    private static let unknown = LocalizedText(
        "任何接口都没有这个结果码。", "任何介面都沒有這個結果碼。", "No interface has this code.")
    private static let mistyped = LocalizedText("您要找的是：", "您要找的是：", "Did you mean:")
    private static let cause = LocalizedText("原因", "原因", "Cause")
    private static let remedy = LocalizedText("处理", "處理", "What to do")
}
