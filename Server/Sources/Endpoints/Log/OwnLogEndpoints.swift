package import Authority
import BenjiPage
@_spi(Server) package import BenjiProtocol
import HTTPTypes
import Hummingbird
import OpenIDProvider
package import Requests
package import ServerHTTP
package import Sightings

/// `/log/mine`: a person asks on their own phone who got their number, when, and on which page (docs/log.md).
///
/// It belongs where phones call. The page itself contains no data. Its button asks, over the mobile-data connection by
/// which the gateway recognises the phone. Nothing is kept on the way, and no other page can have it in a frame.
///
/// Other apps on the phone, and guests of its hotspot, call from the same address. So the address alone gets nothing
/// that reveals the number: a proof requires typing the whole number.
package struct OwnLogEndpoints: Sendable {
    package static let path = "/log/mine"
    static let maximumBody = 1024

    /// Returns the log's leaves about the subscriber at the other end of the connection, newest first.
    /// - Parameter before: only leaves before this one.
    package typealias Listing =
        @Sendable (_ before: Int64?, _ sighting: Result<Sighting, SightingRefusal>) async throws(Refusal) -> JSON
    /// Returns the proof of one of these leaves, for a person who types the whole number.
    /// - Throws: `numberDiffers` if it is another number; `tooManyRequests` after too many of those.
    package typealias Proving =
        @Sendable (
            _ leaf: Int64, _ number: PhoneNumber, _ sighting: Result<Sighting, SightingRefusal>
        ) async throws(Refusal) -> JSON

    private let list: Listing
    private let prove: Proving
    private let sightings: any SightingSource
    private let random: any RandomSource

    package init(
        authority: Authority, sightings: any SightingSource, random: any RandomSource = SystemRandomSource()
    ) {
        self.init(sightings: sightings, random: random) { before, sighting async throws(Refusal) in
            try await authority.ownLog(before: before, sighting: sighting)
        } proving: { leaf, number, sighting async throws(Refusal) in
            try await authority.ownLogProof(of: leaf, number: number, sighting: sighting)
        }
    }

    package init(
        sightings: any SightingSource, random: any RandomSource = SystemRandomSource(),
        listing list: @escaping Listing, proving prove: @escaping Proving
    ) {
        (self.list, self.prove) = (list, prove)
        self.sightings = sightings
        self.random = random
    }

    package var routes: [EndpointRoute] {
        [
            EndpointRoute(.get, Self.path) { request, context in
                context.outcome.note(code: Situation.success.rawValue)
                return page(.question, request)
            },
            EndpointRoute(.post, Self.path) { request, context in await answer(request, context) },
        ]
    }

    private func answer(_ request: Request, _ context: EndpointContext) async -> Response {
        var wanted: Int64?
        do throws(Refusal) {
            let form = try await form(request)
            wanted = form.proof
            let answer: Response
            if let leaf = form.proof {
                answer = try await proof(of: leaf, form.number, request, context)
            } else {
                let sighting = await sightings.sighting(of: context)
                answer = page(.list(try await list(form.before, sighting)), request)
            }
            context.outcome.note(code: Situation.success.rawValue)
            return answer
        } catch {
            context.outcome.note(code: error.situation.rawValue)
            guard let wanted, [.numberMalformed, .numberDiffers].contains(error.situation) else {
                return page(.refused(error.situation, ofProof: wanted != nil), request)
            }
            return page(.number(leaf: wanted, problem: error.situation), request)
        }
    }

    private func proof(
        of leaf: Int64, _ typed: String?, _ request: Request, _ context: EndpointContext
    ) async throws(Refusal) -> Response {
        guard let typed else { return page(.number(leaf: leaf, problem: nil), request) }
        // A text that is no number is not counted as a wrong one.
        guard let number = PhoneNumber(typed: typed) else {
            throw Refusal(.numberMalformed, "the form's number is none")
        }
        var response = Response(
            try await prove(leaf, number, await sightings.sighting(of: context)))
        response.headers[.contentDisposition] = "attachment; filename=\"leaf-\(leaf).json\""
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.resourcePolicy] = "same-origin"
        return response
    }

    /// The fields that the page's own form sends. A form of another site is refused if the browser sends
    /// Sec-Fetch-Site; it could not read the answer.
    ///
    /// The page has the referrer policy no-referrer, so its form sends `Origin: null`. In a browser without
    /// Sec-Fetch-Site, such as Safari before 16.4, nothing distinguishes it from another site's
    /// (docs/threat-model/browser.md).
    private func form(_ request: Request) async throws(Refusal) -> (before: Int64?, proof: Int64?, number: String?) {
        let site = request.headers[.secFetchSite] ?? "same-origin"
        let origin = request.headers[.origin] ?? "null"
        let isOurs = origin == "null" || origin.hasSuffix("://\(request.head.authority ?? "")")
        guard ["same-origin", "none"].contains(site), isOurs else {
            throw Refusal(.consentInvalid, "the form is another site's")
        }
        guard request.mediaType == "application/x-www-form-urlencoded",
            let bytes = try? await request.bytes(upTo: Self.maximumBody), let pairs = FormText.pairs(bytes)
        else { throw Refusal(.parameterInvalid, "the form cannot be read") }
        var numbers: [String: Int64] = [:]
        var typed: String?
        for (name, value) in pairs {
            if name == "number", typed == nil {
                typed = value
                continue
            }
            guard ["before", "proof"].contains(name), numbers[name] == nil, let number = Int64(value), number >= 0,
                number < .max
            else { throw Refusal(.parameterInvalid, "the form is not the page's") }
            numbers[name] = number
        }
        return (numbers["before"], numbers["proof"], typed)
    }

    // MARK: the page

    private enum Stage {
        case question
        case list(JSON)
        /// The whole number is asked for, before the proof of a leaf.
        case number(leaf: Int64, problem: Situation?)
        case refused(Situation, ofProof: Bool)
    }

    private func page(_ stage: Stage, _ request: Request) -> Response {
        let language = Language(wanted: AcceptLanguage.tags(request.headers[.acceptLanguage] ?? ""))
        let nonce = CredentialGrammar.openID.make(random: random)
        var values: [String: Any] = ["action": Self.path, "button": OwnLogStrings.ask[language]]
        var status = HTTPResponse.Status.ok
        var title = OwnLogStrings.title
        switch stage {
        case .question: values["reasons"] = OwnLogStrings.explanation.map { $0[language] }
        case .list(let json):
            let leaves = json["leaves"]?.arrayValue ?? []
            values["reasons"] = [(leaves.isEmpty ? OwnLogStrings.nothing : OwnLogStrings.proof)[language]]
            values["leaves"] = leaves.map { Self.values($0, language) }
            values["next"] = json["next"]?.integerValue.map { String($0) }
            values["button"] = (values["next"] == nil ? OwnLogStrings.again : OwnLogStrings.earlier)[language]
        case .number(let leaf, let problem):
            title = OwnLogStrings.numberTitle
            status = problem?.httpStatus ?? .ok
            values["reasons"] = [OwnLogStrings.whyNumber[language]]
            values["leaf"] = String(leaf)
            values["problem"] = problem.map { OwnLogStrings.reason($0)[language] }
            values["label"] = OwnLogStrings.number[language]
            values["download"] = OwnLogStrings.download[language]
            values["button"] = OwnLogStrings.back[language]
        case .refused(let situation, let isOfProof):
            title = OwnLogStrings.refusedTitle
            status = situation.httpStatus
            let isTooOften = isOfProof && situation == .tooManyRequests
            values["reasons"] = [(isTooOften ? OwnLogStrings.proofTooOften : OwnLogStrings.reason(situation))[language]]
            values["button"] = OwnLogStrings.again[language]
        }
        return .page(
            SmallPage(.ownLog, language, title: title[language], values).document(nonce: nonce), status: status,
            policy: SmallPage.policy(nonce: nonce))
    }

    private static func values(_ leaf: JSON, _ language: Language) -> [String: Any] {
        let at = Timestamp(milliseconds: (leaf["at"]?.integerValue ?? 0) / 1000 * 1000)
        // The number's placeholder is left out of the texts.
        let texts = (leaf["texts"]?.arrayValue ?? []).compactMap(\.stringValue).filter {
            $0 != PageContent.numberPlaceholder
        }
        let digest = leaf["contentDigest"]?.stringValue
        let told = digest == nil ? OwnLogStrings.toldWithoutPage : OwnLogStrings.told
        let what = leaf["kind"]?.stringValue == "consent" ? OwnLogStrings.agreed : told
        var values: [String: Any] = [
            "app": leaf["app"]?.stringValue ?? "",
            "what": what[language],
            // As the clocks of mainland China have it.
            "time": String((at + .seconds(8 * 3600)).rfc3339.prefix(19).replacing("T", with: " ")) + " (UTC+8)",
            "index": String(leaf["index"]?.integerValue ?? 0), "download": OwnLogStrings.download[language],
            "hasTexts": !texts.isEmpty, "texts": texts, "pageWords": OwnLogStrings.page[language],
        ]
        values["digest"] = digest
        return values
    }
}

/// The texts that a person reads there.
private enum OwnLogStrings {
    static let title = LocalizedText("谁拿到了我的号码", "Who got my number")
    static let explanation = [
        LocalizedText(
            "这里列出哪些应用在什么时候、通过哪个页面拿到了您的手机号码，以及您同意过什么。",
            "See which apps got your phone number, when, on which page, and what you agreed to."),
        LocalizedText(
            "请关闭 Wi-Fi，使用这张 SIM 卡的移动数据打开本页。列表只显示您成为号码主人之后的记录。",
            "Use this SIM's mobile data, with Wi-Fi off. The list begins when the number became yours."),
    ]
    static let ask = LocalizedText("显示列表", "Show the list")
    static let again = LocalizedText("重新查询", "Ask again")
    static let earlier = LocalizedText("更早的记录", "Earlier entries")
    static let nothing = LocalizedText("没有记录：没有应用拿到您的号码。", "Nothing here: no app got your number.")
    static let proof = LocalizedText(
        "每条记录都附有证明，任何人都能用公开日志核对。下载证明时需要输入您的完整手机号码。",
        "Each entry has a proof that anybody can check against the public log. To download one you type your whole "
            + "number."
    )
    static let numberTitle = LocalizedText("输入您的手机号码", "Type your number")
    static let whyNumber = LocalizedText(
        "拿到证明文件的人可以试出号码，所以只有输入本机完整号码的人才能下载。下载后请妥善保管。",
        "Whoever has the file can find out the number by trying. So it is given only to someone who types this phone's "
            + "whole number. "
            + "Keep the file to yourself.")
    static let number = LocalizedText("本机号码", "This phone's number")
    static let back = LocalizedText("返回列表", "Back to the list")
    static let proofTooOften = LocalizedText(
        "查询过于频繁，或者号码输错的次数过多，请明天再试。",
        "It was asked for too often, or the number was typed wrongly too often. Try again tomorrow.")
    static let told = LocalizedText("拿到了您的号码", "got your number")
    /// Under the app's grant; or the consent was kept no more when an older line came into the log.
    static let toldWithoutPage = LocalizedText(
        "拿到了您的号码（日志里没有对应的页面）", "got your number; the log has no page for it")
    static let agreed = LocalizedText("您在它的页面上点了同意", "you agreed on its page")
    static let page = LocalizedText("页面上的文字", "What the page said")
    static let download = LocalizedText("下载证明", "Download the proof")
    static let refusedTitle = LocalizedText("暂时无法显示", "The list cannot be shown")

    static func reason(_ situation: Situation) -> LocalizedText {
        switch situation {
        case .tooManyRequests:
            LocalizedText("查询过于频繁，请一小时后再试。", "It was asked for too often. Try again in an hour.")
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported,
            .gatewayNotTrusted:
            LocalizedText(
                "没有认出这部手机。请关闭 Wi-Fi 和代理，使用移动数据后再试。",
                "This phone was not recognised. Switch off Wi-Fi and any proxy, use mobile data, and try again.")
        case .numberMalformed: LocalizedText("请输入完整的手机号码。", "Please type the whole number.")
        case .numberDiffers:
            LocalizedText(
                "这不是本机号码。一天内输错五次后，当天不能再下载证明。",
                "This is not this phone's number. After five wrong ones in a day no proof is given on that day.")
        case .consentInvalid, .parameterInvalid:
            LocalizedText("请从本页的按钮查询。", "Please use the button on this page.")
        default: LocalizedText("服务暂时没有响应，请稍后再试。", "The service does not answer just now. Try again later.")
        }
    }
}
