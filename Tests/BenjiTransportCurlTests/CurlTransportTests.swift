import BenjiClient
import BenjiProtocol
import BenjiTransportCurl
import Foundation
import Testing
import Waiting

@Suite("The libcurl transport")
struct CurlTransportTests {
    private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b\r\n\r\n{}"
    private let plenty = Patience.limit

    private func exchange(
        _ behaviour: LoopbackServer.Behaviour, _ configuration: CurlTransport.Configuration = .init(),
        timeout: Duration = Patience.limit
    ) async throws -> TransportResponse {
        let server = try LoopbackServer(behaviour)
        defer { server.stop() }
        let request = TransportRequest(method: "GET", url: try server.url)
        return try await CurlTransport(configuration).send(request, timeout: timeout)
    }

    func failure(
        _ behaviour: LoopbackServer.Behaviour, _ configuration: CurlTransport.Configuration = .init(),
        timeout: Duration = Patience.limit
    ) async throws -> TransportError {
        try #require(
            await #expect(throws: TransportError.self) {
                try await exchange(behaviour, configuration, timeout: timeout)
            })
    }

    @Test("sends method, path, query, headers and content, adds nothing of its own, and reads the whole answer")
    func whole() async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        let body = "{\"a\":\"\u{0}\u{672C}\"}"
        let request = TransportRequest(
            method: "POST", url: try server.url, headers: ["DPoP": "a.b.c", "X-Empty": ""], body: Array(body.utf8))
        let response = try await CurlTransport().send(request, timeout: plenty)
        #expect(response.status == 200)
        #expect(response.headers["x-a"] == "b")
        #expect(response.body == Array("{}".utf8))
        #expect(response.localAddress == InternetAddress("127.0.0.1"))
        let seen = try #require(server.connections.first).request
        let lines = seen.components(separatedBy: "\r\n")
        #expect(lines.first == "POST /device?x=1 HTTP/1.1")
        #expect(
            Set(lines.dropFirst().prefix { !$0.isEmpty }) == [
                "Host: 127.0.0.1:\(server.port)", "DPoP: a.b.c", "X-Empty:",
                "Content-Length: \(body.utf8.count)",
            ])
        #expect(lines.last == body)
    }

    @Test(
        "HEAD, PUT, DELETE and an empty POST say what they are",
        arguments: ["HEAD", "PUT", "DELETE", "POST", "OPTIONS"])
    func methods(method: String) async throws {
        let server = try LoopbackServer(.answer(method == "HEAD" ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" : ok))
        defer { server.stop() }
        let request = TransportRequest(method: method, url: try server.url)
        let response = try await CurlTransport().send(request, timeout: plenty)
        #expect(response.status == 200)
        let seen = try #require(server.connections.first).request
        #expect(seen.hasPrefix("\(method) /device?x=1 HTTP/1.1\r\n"))
        #expect(seen.contains("Content-Length: 0\r\n") == ["PUT", "POST"].contains(method))
    }

    @Test("a virtual phone leaves by its own loopback address, and another phone by another")
    func sourceAddress() async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        for text in ["127.0.0.11", "127.0.0.12"] {
            let address = try #require(InternetAddress(text))
            let transport = CurlTransport(.init(egress: .sourceAddress(address)))
            #expect(try await transport.localAddress(towards: try server.url) == address)
            let response = try await transport.send(
                TransportRequest(method: "GET", url: try server.url), timeout: plenty)
            #expect(response.localAddress == address)
        }
        #expect(server.connections.map(\.peer) == ["127.0.0.11", "127.0.0.12"])
    }

    @Test("a redirect is an answer, never followed")
    func redirect() async throws {
        let other = try LoopbackServer(.answer(ok))
        defer { other.stop() }
        let text = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n"
        let response = try await exchange(.answer(text))
        #expect(response.status == 302)
        #expect(response.headers["Location"] != nil)
        #expect(other.connections.isEmpty)
    }

    @Test("a proxy in the environment is not used")
    func environmentProxy() async {
        // In a process of its own: setenv is unsafe beside other threads.
        await #expect(processExitsWith: .success) {
            let tests = CurlTransportTests()
            let proxy = try LoopbackServer(.answer(tests.ok))
            for name in ["http_proxy", "all_proxy", "ALL_PROXY"] { setenv(name, "http://127.0.0.1:\(proxy.port)", 1) }
            #expect(try await tests.exchange(.answer(tests.ok)).status == 200)
            #expect(proxy.connections.isEmpty)
        }
    }

    @Test(
        "the time given ends the exchange, whether nothing, a head or half the content came",
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", "HTTP/1.1 200 OK\r\n\r\nhello",
        ])
    func timeOut(sent: String) async throws {
        #expect(try await failure(.stall(sent), timeout: .milliseconds(150)).code == .timedOut)
    }

    @Test("no time at all sends nothing")
    func noTime() async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        for timeout in [Duration.zero, .seconds(-1)] {
            await #expect(throws: TransportError(.timedOut, at: "", "")) {
                try await CurlTransport().send(TransportRequest(method: "GET", url: try server.url), timeout: timeout)
            }
        }
        #expect(server.connections.isEmpty)
    }

    @Test("cancelling the task ends the exchange at once and closes the connection")
    func cancellation() async throws {
        let server = try LoopbackServer(.stall("HTTP/1.1 200 OK\r\n"))
        defer { server.stop() }
        let request = TransportRequest(method: "GET", url: try server.url)
        let error = await withTaskGroup(of: TransportError?.self) { group in
            group.addTask {
                do throws(TransportError) {
                    _ = try await CurlTransport().send(request, timeout: .seconds(3600))
                    return nil
                } catch {
                    return error
                }
            }
            await server.wait { $0.first?.request.isEmpty == false }
            group.cancelAll()
            return await group.next() ?? nil
        }
        #expect(error?.code == .cancelled)
        await server.wait { $0.first?.isClosed == true }
    }

    @Test("a task that was cancelled before sends nothing")
    func cancelledBefore() async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        let request = TransportRequest(method: "GET", url: try server.url)
        let code = await withTaskGroup(of: TransportError.Code?.self) { group in
            group.cancelAll()
            group.addTask {
                do throws(TransportError) {
                    _ = try await CurlTransport().send(request, timeout: plenty)
                    return nil
                } catch {
                    return error.code
                }
            }
            return await group.next() ?? nil
        }
        #expect(code == .cancelled)
        #expect(server.connections.isEmpty)
    }

    @Test(
        "content beyond the cap is refused, announced or not, in one piece or in chunks",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123456789", "HTTP/1.1 200 OK\r\n\r\n123456789",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n5\r\n56789\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n",
        ])
    func tooLarge(answer: String) async throws {
        #expect(try await failure(.answer(answer), .init(maximumBody: 8)).code == .tooLarge)
    }

    @Test(
        "chunks, interim answers and content until the close are read",
        arguments: [
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nA: b\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\n\r\nhello",
        ])
    func framings(answer: String) async throws {
        let response = try await exchange(.answer(answer))
        #expect(response.status == 200)
        #expect(response.body == Array("hello".utf8))
    }

    @Test(
        "an answer that is not HTTP/1.1, or that two readers could read differently, is refused",
        arguments: [
            "garbage\r\n\r\n", "\u{0}\u{1}\u{2}", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2 200 OK\r\n\r\n",
            "HTTP/1.1 abc OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
        ])
    func malformed(answer: String) async throws {
        let error = try await failure(.answer(answer))
        #expect(error.code == .malformedResponse, "\(error)")
    }

    @Test(
        "an answer that ends too early is a lost connection",
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        ])
    func cutShort(answer: String) async throws {
        let error = try await failure(.answer(answer))
        #expect(error.code == .connectionLost, "\(error)")
    }

    @Test("a server that speaks no TLS gives a TLS error, and an error names the origin without query")
    func noTLS() async throws {
        let server = try LoopbackServer(.speakFirst(ok))
        defer { server.stop() }
        let url = try ServerURL("https://127.0.0.1:\(server.port)/?secret=hunter2")
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(TransportRequest(method: "GET", url: url), timeout: plenty)
        }
        #expect(error?.code == .tlsFailed)
        #expect(error?.place == url.origin)
        #expect(error.map { !"\($0)".contains("hunter2") } == true)
    }

    @Test("a port that nobody listens on refuses the connection")
    func refused() async throws {
        let server = try LoopbackServer(.refuse)
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(TransportRequest(method: "GET", url: try server.url), timeout: plenty)
        }
        #expect(error?.code == .connectionRefused)
    }

    @Test("a connection is kept for the next exchange, or closed after each when asked", arguments: [true, false])
    func connectionReuse(keeps: Bool) async throws {
        let server = try LoopbackServer(.answerAndStay(ok))
        defer { server.stop() }
        let transport = CurlTransport(.init(keepsConnections: keeps))
        for _ in 0..<3 {
            let request = TransportRequest(method: "POST", url: try server.url, body: [0x7b, 0x7d])
            #expect(try await transport.send(request, timeout: plenty).status == 200)
        }
        #expect(server.connections.count == (keeps ? 1 : 3))
        #expect(server.connections.allSatisfy { $0.request.contains("Connection: close") != keeps })
    }

    @Test("a prefetch and an authorize with all that lies between them go over one connection to one server")
    func prefetchAndAuthorize() async throws {
        let server = try LoopbackServer(.answerAndStay(ok))
        defer { server.stop() }
        let transport = CurlTransport(.init(egress: .interface("lo")))
        for path in ["/device/v1/prefetch", "/device/v1/authorize"] {
            let url = try ServerURL("http://127.0.0.1:\(server.port)\(path)")
            _ = try await transport.localAddress(towards: url)
            let request = TransportRequest(
                method: "POST", url: url, body: [0x7b, 0x7d], endsConnection: path.hasSuffix("authorize"))
            #expect(try await transport.send(request, timeout: plenty).status == 200)
        }
        #expect(server.connections.count == 1)
        let requests = try #require(server.connections.first).request.components(separatedBy: "POST ").dropFirst()
        #expect(requests.map { $0.contains("Connection: close") } == [false, true])
        // With the token the connection is given up.
        await server.wait { $0.first?.isClosed == true }
    }

    @Test("when the server has closed a kept connection, the next exchange makes a new one")
    func closedWhileIdle() async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        let transport = CurlTransport()
        for count in 1...2 {
            let request = TransportRequest(method: "POST", url: try server.url, body: [0x7b, 0x7d])
            #expect(try await transport.send(request, timeout: plenty).status == 200)
            await server.wait { $0.count == count && $0.allSatisfy(\.hasSaidAll) }
        }
    }

    @Test("content that left by a kept connection is never sent again when that connection ends without an answer")
    func neverRepeated() async throws {
        let server = try LoopbackServer(.answerOnceThenHangUp(ok))
        defer { server.stop() }
        let transport = CurlTransport()
        let request = TransportRequest(method: "POST", url: try server.url, body: Array("spend".utf8))
        #expect(try await transport.send(request, timeout: plenty).status == 200)
        await #expect(throws: TransportError(.connectionLost, at: "", "")) {
            try await transport.send(request, timeout: plenty)
        }
        // libcurl opens a second connection before it finds that it cannot repeat the content; it stays empty. The
        // server accepts it before that of a later exchange.
        #expect(
            try await CurlTransport().send(TransportRequest(method: "GET", url: try server.url), timeout: plenty).status
                == 200)
        await server.wait { $0.dropFirst().dropLast().allSatisfy(\.isClosed) }
        let connections = server.connections
        #expect(connections.map(\.request).joined().components(separatedBy: "spend").count - 1 == 2)
        #expect(connections.dropFirst().dropLast().allSatisfy { $0.request.isEmpty })
        #expect(connections.last?.request.hasPrefix("GET") == true)
    }

    @Test("many exchanges at once each get their own answer")
    func concurrent() async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        let request = TransportRequest(method: "GET", url: try server.url)
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await transport.send(request, timeout: plenty).status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.connections.count == 50)
    }

    @Test("a request that could be read as another is refused before anything is sent")
    func invalidRequest() async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        let request = TransportRequest(method: "GET", url: try server.url, headers: ["X": "a\r\nY: b"])
        await #expect(throws: TransportError(.invalidRequest, at: "", "")) {
            try await CurlTransport().send(request, timeout: plenty)
        }
        #expect(server.connections.isEmpty)
    }
}
