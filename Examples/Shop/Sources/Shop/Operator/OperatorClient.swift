import Crypto
import Foundation

/// The shop's server in the operators' dialect. The shop's app obtains a token on the phone and sends it here; this
/// side redeems it with a signed request. TYRZSDK's document §5.1 (MD5 sign).
struct OperatorClient: Sendable {
    private let settings: ShopConfiguration.OperatorDialect
    private let line: BenjiServerClient

    init(_ settings: ShopConfiguration.OperatorDialect, line: BenjiServerClient) {
        self.settings = settings
        self.line = line
    }

    struct LoginRequest: Encodable, Sendable {
        var appid: String
        var version = "2.0"
        var msgid: String
        var systemtime: String
        var strictcheck = "0"
        var token: String
        var sign = ""

        /// The fields in the document's order, without anything between them, then the app's key.
        mutating func sign(with key: String) {
            let text = appid + version + msgid + systemtime + strictcheck + token + key
            sign = OperatorClient.hexadecimal(Insecure.MD5.hash(data: Data(text.utf8)))
        }
    }

    /// The number behind a token. A token can be redeemed once.
    func number(of token: String) async throws(LoginFailure) -> String {
        var request = LoginRequest(
            appid: settings.appID, msgid: Self.hexadecimal(UUID().bytes), systemtime: Self.time(Date()), token: token)
        request.sign(with: settings.serverSecret)
        struct Answer: Decodable {
            var resultCode: String
            var desc: String?
            var msisdn: String?
        }
        let answer: Answer
        do {
            answer = try await line.post(settings.server + "/unisdk/rsapi/loginTokenValidate", json: request)
                .read(Answer.self)
        } catch { throw .unreachable(error.detail) }
        guard answer.resultCode == "103000", let number = answer.msisdn else {
            throw .refused(answer.resultCode, answer.desc ?? "")
        }
        // As people of the country write it; kept like the other login's.
        return "+86" + number
    }

    /// Seventeen digits down to the millisecond, always China's time.
    static func time(_ moment: Date) -> String {
        // Whole milliseconds first: cut off from a fraction, the last digit would be one too small now and then.
        let milliseconds = Int((moment.timeIntervalSince1970 * 1000).rounded())
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 8 * 3600) ?? .gmt
        let second = Date(timeIntervalSince1970: TimeInterval(milliseconds / 1000))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: second)
        return String(
            format: "%04d%02d%02d%02d%02d%02d%03d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0, parts.hour ?? 0,
            parts.minute ?? 0, parts.second ?? 0, milliseconds % 1000)
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(format: "%02X", $0) }.joined()
    }
}

extension UUID {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
