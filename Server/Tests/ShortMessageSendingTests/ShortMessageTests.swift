@_spi(Server) import BenjiProtocol
import ShortMessages
import Testing

struct ShortMessageTests {
    @Test(
        "no message has characters that its reader does not see, wherever its text is from",
        arguments: [
            ("用于登录 Shop\u{202e}lapyaP", "用于登录 ShoplapyaP"), ("a\u{0}b\u{200b}c", "abc"), ("a\r\nb", "a\nb"),
            ("验证码 123456 ❤️", "验证码 123456 ❤️"),
        ])
    func texts(text: String, shown: String) throws {
        let number = try #require(PhoneNumber("13800138000"))
        let message = ShortMessage(to: number, text: text, expiresAt: Timestamp(seconds: 4_000_000_000))
        // A message with the text as it came would show the first three otherwise than they are.
        #expect(message.text == shown)
    }
}
