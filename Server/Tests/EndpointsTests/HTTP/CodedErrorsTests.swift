import Catalogue
import HTTPTypes
import Hummingbird
import NIOHTTP1
import ServerTestKit
import Store
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Requests
@testable import ServerHTTP

@Suite("Errors and logs of a listener")
struct CodedErrorsTests {
    private struct Secret: Error, CustomStringConvertible { var description: String { "13800138000" } }

    private let router = PublicServer.router(
        "server",
        routes: [
            EndpointRoute(.post, "/fails") { _, _ in throw Secret() },
            EndpointRoute(.post, "/breaks") { _, _ in throw HTTPParserError.invalidEOFState },
            EndpointRoute(.get, "/works") { _, context in
                context.outcome.note(code: "success", trace: Fixtures.trace)
                return Response(JSON.object(["code": "success"]))
            },
            // As a server without HEAD.
            EndpointRoute(.get, "/once", answersHead: false) { _, _ in Response(JSON.object(["code": "success"])) },
        ], namesPeers: true)

    @Test("an unexpected error is an internal error, and its text stays inside")
    func unexpected() async throws {
        let log = LogBook()
        let answer = try await Exchange.send(router, .post, "/fails", logger: log.logger)
        #expect(answer.status == .internalServerError)
        #expect(answer.code == "internal_error")
        #expect(!answer.body.contains("138"))
        #expect(log.text.contains("Secret"))
        #expect(!log.text.contains("138"))
    }

    @Test(
        "an address that does not exist is not_found in JSON",
        arguments: ["/", "/Works", "/works/x", "/work", "/../works"])
    func notFound(path: String) async throws {
        let answer = try await Exchange.send(router, .get, path)
        #expect(answer.status == .notFound)
        #expect(answer.code == "not_found")
    }

    @Test(
        "HEAD is answered without a body, wherever it goes: a client takes one for the next answer's beginning",
        arguments: [
            ("/works", .ok), ("/once", .methodNotAllowed), ("/fails", .methodNotAllowed), ("/", .notFound),
        ] as [(String, HTTPResponse.Status)])
    func head(path: String, status: HTTPResponse.Status) async throws {
        let answer = try await Exchange.send(router, .head, path)
        #expect(answer.status == status && answer.body.isEmpty)
        #expect(answer.headers[.contentLength] != "0")
    }

    @Test("a second Host line makes a request malformed, before its route sees it")
    func secondHost() async throws {
        let answer = try await Exchange.send(
            router, .get, "/works", headers: [HTTPField.Name("Host")!: "id.example.com"])
        #expect(answer.status == .badRequest && answer.code == "malformed_request")
    }

    @Test("a wrong method is told the right one")
    func wrongMethod() async throws {
        for method: HTTPRequest.Method in [.get, .put, .options, .head, HTTPRequest.Method("BREW")!] {
            let answer = try await Exchange.send(router, method, "/fails")
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == "POST")
            if method != .head { #expect(answer.code == "method_not_allowed") }
        }
    }

    @Test("a log line names route, status, code, trace and caller, and nothing that the caller wrote")
    func accessLog() async throws {
        let log = LogBook()
        _ = try await Exchange.send(
            router, .get, "/works?number=13800138000", headers: [.userAgent: "13800138001"], from: ("203.0.113.7", 9),
            logger: log.logger)
        let line = log.text
        #expect(line.contains("route=/works"))
        #expect(line.contains("status=200"))
        #expect(line.contains("code=success"))
        #expect(line.contains("trace=\(Fixtures.trace)"))
        #expect(line.contains("peer=203.0.113.7"))
        #expect(!line.contains("138001380"))
        let other = LogBook()
        _ = try await Exchange.send(
            router, HTTPRequest.Method("X13800138000")!, "/13800138000", body: Array("13800138000".utf8),
            logger: other.logger)
        #expect(other.text.contains("route=unmatched"))
        #expect(!other.text.contains("138001380"))
    }

    @Test("a log line names the app that the authority found, and none that only the caller named")
    func namedApp() async throws {
        let router = PublicServer.router(
            "device",
            routes: [
                EndpointRoute(.get, "/known") { _, _ in
                    RequestSubject.current?.note(app: AppID(rawValue: "300000000001")!)
                    throw Refusal(.appSuspended, "the app is suspended")
                },
                EndpointRoute(.get, "/unknown") { _, _ in throw Refusal(.appUnknown, "no app has this id") },
            ])
        let known = LogBook()
        _ = try await Exchange.send(router, .get, "/known", logger: known.logger)
        #expect(known.text.contains("app=300000000001"))
        let unknown = LogBook()
        _ = try await Exchange.send(router, .get, "/unknown?app=13800138000", logger: unknown.logger)
        #expect(!unknown.text.contains("app=") && !unknown.text.contains("13800138000"))
        #expect(RequestSubject.current == nil)
    }

    @Test("a request whose client went away is logged, and its connection left to Hummingbird")
    func abandoned() async throws {
        let log = LogBook()
        await #expect(throws: HTTPParserError.self) {
            try await Exchange.send(router, .post, "/breaks", logger: log.logger)
        }
        #expect(log.text.contains("route=/breaks"))
        #expect(log.text.contains("status=400"))
    }

    @Test("the listener of phones does not write their addresses down")
    func noPeers() async throws {
        let log = LogBook()
        let router = PublicServer.router("device", routes: [])
        _ = try await Exchange.send(router, .get, "/", from: ("10.11.12.13", 9), logger: log.logger)
        #expect(log.text.contains("listener=device"))
        #expect(!log.text.contains("10.11.12.13"))
    }

    @Test("every situation has a status, and only success has one of success")
    func statuses() {
        for situation in Situation.all {
            #expect(situation.listedHTTPStatus != nil, "\(situation)")
            let isSuccess = situation == .success || situation == .numberDiffers
            #expect((situation.httpStatus == .ok) == isSuccess, "\(situation.rawValue)")
            #expect(isSuccess || (400..<600).contains(situation.httpStatus.code))
        }
    }
}
