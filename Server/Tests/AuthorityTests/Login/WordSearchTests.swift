import Testing

@testable import Authority

struct WordSearchTests {
    @Test("a word is found wherever its bytes are in a text, and nowhere else")
    func found() {
        for word in ["登录", "log in", "a", "aab"] {
            for before in 0..<5 {
                for after in 0..<3 {
                    let text = String(repeating: "x", count: before) + word + String(repeating: "y", count: after)
                    #expect(text.contains(bytesOf: word), "\(text)")
                    #expect(!text.replacing(word, with: word.dropLast()).contains(bytesOf: word), "\(text)")
                }
            }
        }
        #expect("aaab".contains(bytesOf: "aab") && "录登录".contains(bytesOf: "登录"))
        #expect("x".contains(bytesOf: "") && "".contains(bytesOf: "") && !"".contains(bytesOf: "a"))
        #expect(!"Log in".contains(bytesOf: "log in") && !"lo".contains(bytesOf: "log in"))
    }
}
