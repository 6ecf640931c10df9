import Testing

@testable import BenjiProtocol
@testable import ServerHTTP

@Suite("The Date header")
struct SecondTextTests {
    @Test(
        "moments are written as RFC 9110 prints them",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] as [(Int64, String)])
    func format(_ seconds: Int64, _ text: String) {
        let date = SecondText.header()
        #expect(date.text(of: Timestamp(milliseconds: seconds * 1000).seconds) == text)
        #expect(date.text(of: Timestamp(milliseconds: seconds * 1000 + 999).seconds) == text)
        #expect(date.text(of: Timestamp(milliseconds: seconds * 1000 + 1000).seconds) != text)
    }
}
