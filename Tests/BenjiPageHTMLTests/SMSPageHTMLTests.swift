import BenjiPage
import BenjiPageHTML
import PageProperties
import Testing

@Suite struct SMSPageHTMLTests {
    @Test(
        """
        A page of a login by SMS has fields that browsers fill in, a button of its own for the code, and says its \
        message aloud
        """
    )
    func fields() throws {
        var state = SMSPageState()
        state.message = .codeSent
        let scene = try PageScene(
            bySMS: PageSamples.usual, state: state, screen: PageScreen(375, 667), measuredBy: AdvanceTable())
        let text = PageHTML([scene], PageHTML.Options(nonce: "bm9uY2U")).document
        #expect(text.contains("type=\"tel\" name=\"number\" autocomplete=\"tel\""))
        #expect(text.contains("name=\"code\" autocomplete=\"one-time-code\""))
        #expect(text.contains("placeholder=\"手机号码\"") && text.contains("aria-label=\"验证码\""))
        #expect(text.contains("value=\"send\" formnovalidate"))
        #expect(text.contains("role=\"status\""))
        #expect(!text.contains("<script"))
    }
}
