import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// The shop's line to Benji: short requests, short answers, bounded in time.
struct BenjiServerClient: Sendable {
    struct Message: Sendable {
        var method: HTTPMethod
        var url: String
        var authorization: String?
        var contentType: String?
        var body = Data()
    }

    struct Answer: Sendable {
        var status: Int
        var body: Data

        func read<Value: Decodable>(_ type: Value.Type) throws(LineFailure) -> Value {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            do { return try decoder.decode(type, from: body) } catch {
                throw LineFailure(detail: "the answer is not what was expected (HTTP \(status))")
            }
        }
    }

    /// The longest answer that is read, in bytes.
    private static let maximumAnswer = 256 * 1024

    private let exchange: @Sendable (Message) async throws(LineFailure) -> Answer

    init(_ exchange: @escaping @Sendable (Message) async throws(LineFailure) -> Answer) { self.exchange = exchange }

    init(client: HTTPClient) {
        self.init { message async throws(LineFailure) in
            var request = HTTPClientRequest(url: message.url)
            request.method = message.method
            if let value = message.authorization { request.headers.add(name: "Authorization", value: value) }
            if let value = message.contentType { request.headers.add(name: "Content-Type", value: value) }
            if message.method == .POST { request.body = .bytes(ByteBuffer(data: message.body)) }
            do {
                let response = try await client.execute(request, timeout: .seconds(10))
                let body = try await response.body.collect(upTo: Self.maximumAnswer)
                return Answer(status: Int(response.status.code), body: Data(buffer: body))
            } catch {
                // Not the error itself: it may hold data of the request.
                throw LineFailure(detail: "no answer (\(type(of: error)))")
            }
        }
    }

    func get(_ url: String, authorization: String? = nil) async throws(LineFailure) -> Answer {
        try await exchange(Message(method: .GET, url: url, authorization: authorization))
    }

    func post(
        _ url: String, form: [(name: String, value: String)], authorization: String
    ) async throws(LineFailure) -> Answer {
        try await exchange(
            Message(
                method: .POST, url: url, authorization: authorization,
                contentType: "application/x-www-form-urlencoded", body: Data(FormText.encode(form).utf8)))
    }

    func post(_ url: String, json: some Encodable) async throws(LineFailure) -> Answer {
        let body: Data
        do { body = try JSONEncoder().encode(json) } catch {
            throw LineFailure(detail: "the request cannot be written")
        }
        return try await exchange(Message(method: .POST, url: url, contentType: "application/json", body: body))
    }
}

/// Benji could not be asked, or its answer could not be understood.
struct LineFailure: Error { var detail: String }

/// `application/x-www-form-urlencoded`.
enum FormText {
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }
}
