import Catalogue
import Testing

@Suite("Codes that may have been meant")
struct CatalogueNearTests {
    @Test("A forgotten sign comes first")
    func sign() {
        #expect(Catalogue.near("20405").first == "-20405")
        #expect(Catalogue.near("-103902").first == "103902")
    }

    @Test("One digit too many, too few or wrong is found")
    func digits() {
        for slip in ["10390", "1039022", "103906"] { #expect(Catalogue.near(slip).contains("103902"), "\(slip)") }
        #expect(!Catalogue.near("103999").contains("103902"))
    }

    @Test("A part of a word or a slip in it is found, whatever the case")
    func words() {
        #expect(Catalogue.near("token").contains("token_spent"))
        #expect(Catalogue.near("Expired", limit: 10).contains("scrip_expired"))
        #expect(Catalogue.near("tokn_spent") == ["token_spent"])
    }

    @Test("What is like no code brings nothing")
    func nothing() {
        for text in ["", "x", "hello", "5555555555"] { #expect(Catalogue.near(text).isEmpty, "\(text)") }
    }

    @Test("No more are named than asked for, and each once")
    func limit() {
        #expect(Catalogue.near("20405", limit: 2).count == 2)
        let many = Catalogue.near("103101", limit: 100)
        #expect(Set(many).count == many.count)
    }
}
