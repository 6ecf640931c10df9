import BenjiProtocol
import Testing

@Suite struct ConsentContentTests {
    private typealias Change = @Sendable (inout ConsentContent) -> Void

    private static let changes: [String: Change] = [
        "drawnBy": { $0.drawnBy = .app }, "language": { $0.language = "en" },
        "policyVersion": { $0.policyVersion = "2026-12" },
        "initiallyTicked": { $0.initiallyTicked = true }, "a text": { $0.texts[0].text += "." },
        "a role": { $0.texts[0].role = .title }, "order of texts": { $0.texts.swapAt(0, 1) },
        "one text less": { $0.texts.removeLast() },
        "one text more": { $0.texts.append(.init(.custom, "")) }, "a title": { $0.links[0].title += "." },
        "a url": { $0.links[0].url += "/" },
        "one link less": { $0.links.removeLast() }, "one link more": { $0.links.append($0.links[0]) },
        "a text in another Unicode form": { $0.texts[1].text = "e\u{301}" },
        "the composed form": { $0.texts[1].text = "\u{e9}" },
        // Neighbouring fields with the border between them moved: bare concatenation could not tell these apart.
        "language into policy": {
            $0.language = "zh-Hans2026"
            $0.policyVersion = "-11"
        },
        "policy into language": {
            $0.language = "zh-Han"
            $0.policyVersion = "s2026-11"
        },
        "title into url": {
            $0.links[0].title.removeLast()
            $0.links[0].url = "款" + $0.links[0].url
        },
        "text into next role": {
            $0.texts[0].text = "{number"
            $0.texts[1].text = "}" + $0.texts[1].text
        },
        "text into the link count": { $0.texts[1].text += "1" },
        "a text made of a text's fields": { $0.texts = [.init(.number, "{number}loginButton本机号码一键登录")] },
        "a link as two texts": {
            $0.texts += [.init(.custom, $0.links[0].title), .init(.custom, $0.links[0].url)]
            $0.links = []
        },
    ]

    @Test("The digest changes with every field, and when the border between two fields moves")
    func digests() {
        var digests: [String: String] = [Samples.consentContent.digest: "nothing"]
        for (name, change) in Self.changes {
            var content = Samples.consentContent
            change(&content)
            let other = digests.updateValue(name, forKey: content.digest)
            #expect(other == nil, "\(name) has the digest of \(other ?? "")")
        }
        #expect(digests.count == Self.changes.count + 1)
    }

    @Test("The digest is a fixed function of the content: reviewed pages stay approved")
    func pinned() {
        // Computed apart, from the description of the canonical bytes alone.
        #expect(Samples.consentContent.digest == "oET8mqtcgbCTgU1Lsxsv5RWVFSerHiErYIjMqf7Hfzs")
    }

    @Test("A content survives its JSON, digest included")
    func roundTrip() throws {
        let read = try ConsentContent(try JSON(parsing: Samples.consentContent.json.serialized))
        #expect(read == Samples.consentContent)
        #expect(read.digest == Samples.consentContent.digest)
    }

    @Test("An error names the text or link that it is about")
    func errorPaths() throws {
        var json = Samples.consentContent.json.text
        json = json.replacing(#""role":"loginButton""#, with: #""role":"button""#)
        let error = #expect(throws: JSONError.self) { try ConsentContent(try JSON(parsing: json)) }
        #expect(error?.place == "$.content.texts[1].role")
        let link = Samples.consentContent.json.text.replacing(#""url":"#, with: #""href":"#)
        let other = #expect(throws: JSONError.self) { try ConsentContent(try JSON(parsing: link)) }
        #expect(other?.place == "$.content.links[0].url")
    }
}

@Suite struct ConsentRecordTests {
    private let record = ConsentRecord(
        appID: Samples.appID, trace: Samples.trace, scrip: Samples.scrip, nonce: Samples.nonce,
        content: Samples.consentContent,
        sceneDigest: nil, shownAt: Timestamp(milliseconds: 1), tickedAt: Timestamp(milliseconds: 2),
        tappedAt: Timestamp(milliseconds: 3))

    @Test("A record is read back by the key that signed it, and by no other")
    func signing() throws {
        let signer = SoftwareDeviceSigner()
        let text = try record.signed(by: signer)
        #expect(try ConsentRecord(verifying: text, key: signer.publicKey) == record)
        #expect(throws: JSONError.self) { try ConsentRecord(verifying: text, key: SoftwareDeviceSigner().publicKey) }
        #expect(text.utf8.count <= CompactJWS.maximumLength)
    }

    @Test("A record carries the page digest, and one without it is read as well")
    func pageDigest() throws {
        var drawn = record
        drawn.pageDigest = ConsentRecord.digest(ofPage: Array("page".utf8))
        #expect(drawn.pageDigest == ConsentRecord.hash(of: "page"))
        let signer = SoftwareDeviceSigner()
        #expect(try ConsentRecord(verifying: drawn.signed(by: signer), key: signer.publicKey) == drawn)
        #expect(drawn != record && record.pageDigest == nil)
    }

    @Test("The record holds the scrip's hash, never the scrip")
    func scripStaysHome() throws {
        let text = try record.signed(by: SoftwareDeviceSigner())
        let payload = try #require(Base64URL.decode(text.split(separator: ".")[1]))
        #expect(!String(decoding: payload, as: UTF8.self).contains(Samples.scrip))
        #expect(record.scripHash == ConsentRecord.hash(of: Samples.scrip))
        #expect(record.scripHash != ConsentRecord.hash(of: Samples.scrip + "a"))
    }

    @Test("A device proof is not a consent, though the same key signed both")
    func crossType() throws {
        let signer = SoftwareDeviceSigner()
        let proof = try DeviceProof(
            id: "0123456789abcdef", method: "POST", url: "https://gate.example/", issuedAt: Timestamp(seconds: 1),
            body: [], localAddress: nil,
            key: signer.publicKey
        ).signed(by: signer)
        let consent = try record.signed(by: signer)
        #expect(throws: JSONError.self) { try ConsentRecord(verifying: proof, key: signer.publicKey) }
        #expect(throws: JSONError.self) { try DeviceProof(verifying: consent) }
    }
}
