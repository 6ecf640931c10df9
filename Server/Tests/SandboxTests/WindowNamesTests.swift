import BenjiClient
import Foundation
import Testing

@testable import Sandbox

@Suite("A window's names for the sandbox's servers")
struct WindowNamesTests {
    let names = WindowNames(pairs: [
        .init(server: "http://127.0.0.1:80", window: "http://127.0.3.1:1000"),
        .init(server: "http://127.0.0.1:8081", window: "http://127.0.3.1:2000"),
    ])

    @Test(
        """
        a redirect to the login page leads to the phone's window, and what it asks for stays as the servers agreed on it
        """
    )
    func redirect() {
        let location =
            "http://127.0.0.1:8081/openid/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A80%2Fcallback&state=x"
        let headers = names.towardsBrowser(["Location": location, "Set-Cookie": "a=http://127.0.0.1:8081"])
        #expect(
            headers["Location"]
                == "http://127.0.3.1:2000/openid/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A80%2Fcallback&state=x")
        #expect(headers["Set-Cookie"] == "a=http://127.0.0.1:8081")
    }

    @Test("a port that begins like another is another")
    func prefixes() {
        let text = "http://127.0.0.1:80/ http://127.0.0.1:8081/ http://127.0.0.1:80812/"
        let changed = String(decoding: names.towardsBrowser(Array(text.utf8)), as: UTF8.self)
        #expect(changed == "http://127.0.3.1:1000/ http://127.0.3.1:2000/ http://127.0.0.1:80812/")
        let naive = text.replacingOccurrences(of: "http://127.0.0.1:80", with: "http://127.0.3.1:1000")
        #expect(naive.contains("http://127.0.3.1:100081/"), "the naive replacement mixes them up")
    }

    @Test("the server sees the origin that it would see without the window, and nothing else is changed")
    func origin() {
        let headers = names.towardsServer([
            "Origin": "http://127.0.3.1:2000", "Referer": "http://127.0.3.1:1000/a",
            "Cookie": "x=http://127.0.3.1:2000",
        ])
        #expect(headers["Origin"] == "http://127.0.0.1:8081")
        #expect(headers["Referer"] == "http://127.0.0.1:80/a")
        #expect(headers["Cookie"] == "x=http://127.0.3.1:2000")
        #expect(names.towardsServer(["Origin": "http://evil.example"])["Origin"] == "http://evil.example")
    }

    @Test("a document that is no text is left alone")
    func binary() { #expect(names.towardsBrowser([0xff, 0xfe, 0x00]) == [0xff, 0xfe, 0x00]) }
}
