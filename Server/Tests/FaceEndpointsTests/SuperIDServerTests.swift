import BenjiFaceProtocol
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import FaceAccounts
@testable import FaceEndpoints

@Suite("SuperID's signed calls") struct SuperIDServerTests {
    @Test("The sign is that of the vendor's published example, and of an independent calculation")
    func signs() {
        #expect(
            SuperIDSigning.sign(
                [
                    "a": "2", "b": "3", "app_id": "5vY4mg0Eog8SWo0mHYSWbqpl", "timestamp": "1442198292",
                    "noncestr": "TWSm66JpFIlzdRyk",
                ], key: "Ppuj8xfvb8jltBkcDvALFcEtWvgXGdxj") == "7b43cc63b656fc3581505e38a35b5e04")
        #expect(SuperIDSigning.sign(["name": "名 a&b=c/!~*'()"], key: "k") == "2b8b1c0928652f42e73148ed477ee255")
    }

    @Test("The answer to a server says that a uid is the phone's word")
    func uidSource() {
        var user = FaceProvider.ServerUser(
            openID: "o", uid: "somebody else's", isRandomUID: false, userInfo: FaceUserInfo(),
            verifiedAt: TestClock.document.now)
        #expect(SuperIDServerEndpoints.answer(user)["uid_source"] == "device")
        user.isRandomUID = true
        #expect(SuperIDServerEndpoints.answer(user)["uid_source"] == "random")
    }

    @Test("A group is made, found, changed and removed as the vendor's client asks it")
    func groups() async throws {
        let caller = try await SuperIDCaller()
        let made = try await caller.call(
            .post, "/v1/group/create", ["name": "测试", "tag": "test", "info": #"{"hello":1}"#], nonce: "a")
        #expect(made.json["message"] == "success" && made.json["data"]?["info"]?["hello"] == 1)
        let id = try #require(made.json["data"]?["id"]?.stringValue)
        let found = try await caller.call(.get, "/v1/group/\(id)/info", nonce: "b")
        #expect(found.json["data"] == made.json["data"])
        #expect(
            try await caller.call(.get, "/v1/group/list", ["tag": "test"], nonce: "c").json["data"]?["groups"]?
                .arrayValue?.count == 1)
        #expect(try await caller.call(.post, "/v1/group/\(id)", ["tag": "x"], nonce: "d").json["data"]?["tag"] == "x")
        let turned = try await caller.call(.post, "/v1/group/create", ["name": "a\u{202e}b", "tag": "x"], nonce: "t")
        #expect(turned.json["data"]?["id"] == nil, "people read the name")
        let stranger = try await caller.call(.post, "/v1/group/\(id)/users", ["open_id": "nobody"], nonce: "e")
        #expect(stranger.json["code"] == "open_id_unknown")
        #expect(try await caller.call(.get, "/v1/group/\(id)/users", nonce: "f").json["data"]?["count"] == 0)
        #expect(try await caller.call(.delete, "/v1/group/\(id)", nonce: "g").json["message"] == "success")
        let gone = try await caller.call(.get, "/v1/group/\(id)/info", nonce: "h")
        let wrong = try await caller.call(.delete, "/v1/group/\(id)/info", nonce: "i")
        #expect(wrong.status == .methodNotAllowed && wrong.headers[.allow] == "GET, HEAD")
        #expect(gone.json["message"] == "group does not exists" && gone.status == .notFound)
        await caller.world.end()
    }

    @Test("A caller counts as proven by a right sign, and not by an app's id and a wrong one")
    func proven() async throws {
        var caller = try await SuperIDCaller()
        caller.router = plainRouter(caller.routes)
        let good = caller
        #expect(await proves { _ = try await good.call(.get, "/v1/group/list", nonce: "a") })
        #expect(await !proves { _ = try await good.call(.get, "/v1/group/list", nonce: "b", key: "another") })
        await caller.world.end()
    }

    @Test("A signed member that nobody knows is left alone, in a body and in a query")
    func unknownMembers() async throws {
        let caller = try await SuperIDCaller()
        let made = try await caller.call(.post, "/v1/group/create", ["name": "g", "more": "1"], nonce: "a")
        #expect(made.json["message"] == "success")
        let id = try #require(made.json["data"]?["id"]?.stringValue)
        let found = try await caller.call(.get, "/v1/group/\(id)/info", ["more": "1"], nonce: "b")
        #expect(found.json["data"] == made.json["data"])
        await caller.world.end()
    }

    @Test("One signature counts once, whatever address and method it is shown at")
    func replayedElsewhere() async throws {
        let caller = try await SuperIDCaller()
        let made = try await caller.call(.post, "/v1/group/create", ["name": "g"], nonce: "a")
        let id = try #require(made.json["data"]?["id"]?.stringValue)
        // A call without members of its own is the same text everywhere: listing signs what deleting would.
        #expect(try await caller.call(.get, "/v1/group/list", nonce: "b").json["message"] == "success")
        let elsewhere = try await caller.call(.delete, "/v1/group/\(id)", nonce: "b")
        #expect(elsewhere.json["code"] == "message_replayed")
        #expect(try await caller.call(.get, "/v1/group/\(id)/info", nonce: "c").json["message"] == "success")
        await caller.world.end()
    }

    @Test("A wrong sign, a strange address, an old time, a second use and a missing grant are refused")
    func refusals() async throws {
        let caller = try await SuperIDCaller([.login, .face])
        func code(_ exchange: Exchange) -> String? { exchange.json["code"]?.stringValue }
        let path = "/v1/oauth/token"
        let members = ["grant_type": "authorization_code", "code": "SCode" + String(repeating: "q", count: 48)]
        #expect(code(try await caller.call(.post, path, members, key: "another")) == "sign_wrong")
        #expect(code(try await caller.call(.post, path, members, from: "198.51.100.1")) == "server_address_not_allowed")
        let old = caller.world.clock.now.seconds - 301
        #expect(code(try await caller.call(.post, path, members, seconds: old)) == "message_stale")
        #expect(code(try await caller.call(.post, path, members, nonce: "z")) == "token_unknown")
        #expect(code(try await caller.call(.post, path, members, nonce: "z")) == "message_replayed")
        #expect(code(try await caller.call(.get, "/v1/group/list", nonce: "y")) == "capability_missing")
        await caller.world.end()
    }
}
