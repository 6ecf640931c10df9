import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Shop

@Suite("The example shop's app logs in by the operators' dialect")
struct OperatorLoginTests {
    @Test("the request is signed as TYRZSDK's document §5.1 says")
    func sign() {
        var request = OperatorClient.LoginRequest(
            appid: "300000000001", msgid: "335e06a28f064b999d6a25e403991e4c", systemtime: "20180129112955435",
            token: "STsid0000001517194515125yghlPllAetv4YXx0v6vW2grV1v0votvD")
        request.sign(with: "key")
        // md5sum of the fields in this order: appid, version, msgid, systemtime, strictcheck, token, key.
        #expect(request.sign == "EBF2BC39A93B06FD7C6CDC73CE40C9D8")
    }

    @Test("times are China's, down to the millisecond")
    func time() {
        #expect(OperatorClient.time(Date(timeIntervalSince1970: 1_517_196_595.435)) == "20180129112955435")
    }

    @Test("a token that is redeemed logs in; the app hears the mask and never the number")
    func login() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            let answer = try await browser.send(.post, "/login/token", json: #"{"token":"t"}"#)
            #expect(answer.status == .ok && answer.text.contains("138****0001"))
            #expect(!answer.text.contains(ScriptedProvider.number))
            #expect(try await browser.send(.get, "/account").text.contains("138****0001"))
        }
    }

    @Test("a token that the operator refuses logs nobody in, and the code is told")
    func refused() async throws {
        let world = try ShopWorld { $0.operatorCode = "104201" }
        try await world.visit { browser in
            let answer = try await browser.send(.post, "/login/token", json: #"{"token":"t"}"#)
            #expect(answer.status == .forbidden && answer.text.contains("104201"))
            #expect(browser.cookieNames.isEmpty)
            #expect(try await browser.send(.post, "/login/token", form: "token=t").status == .unsupportedMediaType)
        }
    }
}

@Suite("The example shop's accounts")
struct AccountsTests {
    private func person(_ subject: String, _ number: String?) -> OpenIDClient.Person {
        OpenIDClient.Person(subject: subject, number: number, context: nil)
    }

    @Test("the subject is the account: the next owner of a number gets another one, and the old owner keeps theirs")
    func recycledNumber() async {
        let accounts = Accounts()
        let first = await accounts.logIn(person("a", "+8613800000001"))
        let next = await accounts.logIn(person("b", "+8613800000001"))
        #expect(first.id != next.id)
        #expect(await accounts.find(first.id)?.number == nil)
        let back = await accounts.logIn(person("a", "+8613900000002"))
        #expect(back.id == first.id && back.mask == "139****0002")
    }

    @Test("who first came by the app keeps the account on the web; the number alone opens nobody else's")
    func bothWays() async {
        let accounts = Accounts()
        let byApp = await accounts.logIn(number: "+8613800000001")
        #expect(await accounts.logIn(person("a", "+8613800000001")).id == byApp.id)
        #expect(await accounts.logIn(number: "+8613800000001").id == byApp.id)
        #expect(await accounts.logIn(person("b", "+8613800000001")).id != byApp.id)
    }
}
