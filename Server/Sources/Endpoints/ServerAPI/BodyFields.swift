@_spi(Server) import BenjiProtocol
import Hummingbird
import OpenIDProvider
import ServerHTTP

/// The members of a request's body. Members that are not known are ignored.
struct BodyFields {
    private let json: JSON

    init(_ request: Request, upTo limit: Int) async throws(Problem) {
        guard request.mediaType == "application/json" else {
            throw Problem(
                .malformedRequest, "Content-Type 必须是 application/json", "Content-Type: must be application/json")
        }
        // The length of what it decodes to has no limit.
        guard request.headers[.contentEncoding] == nil else {
            throw Problem(.malformedRequest, "不接受 Content-Encoding", "Content-Encoding: is not accepted")
        }
        let bytes: [UInt8]
        do { bytes = try await request.bytes(upTo: limit) } catch let situation as Situation
            where situation == .bodyTooLarge
        {
            throw Problem(
                .bodyTooLarge, "请求体超过 \(limit) 字节", "the body is larger than \(limit) bytes")
        } catch { throw Problem(.malformedRequest, "无法读取请求体", "the body could not be read") }
        guard let json = try? JSON(parsing: bytes), case .object = json else {
            throw Problem(
                .malformedRequest, "请求体必须是 JSON 对象，成员名不得重复", "the body must be a JSON object without repeated members")
        }
        self.json = json
    }

    private func text(_ name: String) throws(Problem) -> String? {
        switch json[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case .some(let other):
            throw Problem(
                .parameterInvalid, "\(name)：必须是字符串", "\(name): must be a string, is \(other.kind)", parameter: name)
        }
    }

    func token() throws(Problem) -> String {
        guard let token = try text("token") else {
            throw Problem(.tokenMissing, "token：缺失", "token: missing", parameter: "token")
        }
        guard CredentialGrammar.token.matches(token) else {
            throw Problem(
                .tokenMalformed, "token：必须是 SDK 返回的 token，不得改动", "token: must be a token as the SDK gave it",
                parameter: "token")
        }
        return token
    }

    /// The number that is compared with the phone's: `number`, or `numberHash`, its SHA-256.
    func claim() throws(Problem) -> (number: ClaimedNumber, text: String) {
        switch (try text("number"), try text("numberHash")) {
        case (let number?, nil):
            guard number.first == "+", PhoneNumber(number)?.e164 == String(number.dropFirst())
            else {
                throw Problem(
                    .numberMalformed, "number：必须是 E.164 格式并带加号：+8613800000000",
                    "number: must be in E.164 with its plus sign: +8613800000000", parameter: "number")
            }
            return (.plain(number), number)
        case (nil, let hash?):
            guard let claim = ClaimedNumber(hash: hash) else {
                throw Problem(
                    .numberHashMalformed, "numberHash：必须是号码（E.164 格式）的 SHA-256，64 位十六进制",
                    "numberHash: must be the SHA-256 of the number in E.164, 64 hexadecimal digits",
                    parameter: "numberHash")
            }
            return (claim, hash.lowercased())
        case (nil, nil):
            throw Problem(
                .numberMissing, "number 或 numberHash：缺失", "number or numberHash: missing", parameter: "number")
        default:
            throw Problem(
                .parameterInvalid, "number 和 numberHash：只能给一个", "number and numberHash: give one of them",
                parameter: "number")
        }
    }
}
