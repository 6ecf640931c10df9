@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Authority

@Suite("The forms of the public log: leaves, heads and proofs")
struct LogFormTests {
    private let vault = Vault(masterKey: MasterKey(bytes: Array(0..<32)))
    private let moment = Timestamp(milliseconds: 1_790_000_000_500)

    private var input: LogInput {
        LogInput(
            kind: .release, at: moment, appID: AppID(rawValue: "300000000001")!, contentDigest: "digest",
            detail: "loginTokenValidate", commitment: Array(repeating: 7, count: 32))
    }

    // MARK: leaves

    @Test("a leaf is eight lines, each in its place, and is read as it was written")
    func leaf() throws {
        #expect(
            input.text
                == "benji-log-leaf/1\nrelease\n1790000000500\n300000000001\ndigest\nloginTokenValidate\n"
                + Base64URL.encode([UInt8](repeating: 7, count: 32)) + "\n")
        #expect(LogInput(parsing: input.text) == input)
        var bare = input
        bare.kind = .consent
        bare.contentDigest = nil
        #expect(bare.text.split(separator: "\n")[4] == "-")
        #expect(LogInput(parsing: bare.text) == bare)
        #expect(input.leafHash == MerkleTree.leafHash(input.text.utf8) && input.leafHash != bare.leafHash)
    }

    @Test("a text with a line more or less, another version, or a line that is no such value is no leaf")
    func noLeaves() {
        let lines = input.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count == 8)
        func changed(_ place: Int, _ text: String) -> String {
            var lines = lines
            lines[place] = text
            return lines.joined(separator: "\n")
        }
        for text in [
            "", "\n", lines.dropLast().joined(separator: "\n"), input.text + "\n", "\n" + input.text,
            changed(0, "benji-log-leaf/2"), changed(0, ""), changed(1, "released"), changed(2, "x"), changed(2, ""),
            changed(3, "shop"), changed(6, "?"), changed(7, "x"),
        ] { #expect(LogInput(parsing: text) == nil, "\(text)") }
    }

    @Test("a consent's leaf has the hash of its record, a release's its interface")
    func details() {
        func made(_ kind: LogKind) -> LogInput {
            LogInput(
                LogSource(
                    kind: kind, row: 1, appID: input.appID, at: moment, contentDigest: "digest", detail: "text",
                    holder: nil), commitment: [1])
        }
        #expect(made(.release).detail == "text")
        #expect(made(.consent).detail == ConsentRecord.hash(of: "text"))
        for input in [made(.release), made(.consent)] {
            #expect(input.at == moment && input.contentDigest == "digest" && input.commitment == [1])
        }
    }

    // MARK: heads

    private func signed(
        _ type: String = LogHead.type, algorithm: JSON = "ES256", without left: String? = nil,
        by signer: SoftwareDeviceSigner? = nil
    ) throws -> String {
        let claims: [JSON.Member] = [
            JSON.Member("log", .string(vault.installation)), JSON.Member("size", 5),
            JSON.Member("root", .string(Base64URL.encode([1, 2, 3] as [UInt8]))),
            JSON.Member("time", .integer(moment.milliseconds)),
        ]
        let header: [JSON.Member] = [JSON.Member("alg", algorithm), JSON.Member("typ", .string(type))]
        let signer = signer ?? vault.receiptSigner
        return try JWSParts.write(
            header: .object(header), payload: .object(claims.filter { $0.name != left })
        ) { try signer.signature(over: $0) }
    }

    private func head(_ text: String, _ key: PublishedReceiptKey? = nil, log: String? = nil) -> LogHead? {
        try? LogHead(
            verifying: text, log: log ?? vault.installation, keys: [key ?? PublishedReceiptKey(vault.receiptKey)])
    }

    @Test("a head is believed with its type and algorithm, of its log, with all its claims, and under its key alone")
    func heads() throws {
        let text = try signed()
        #expect(head(text) == LogHead(size: 5, root: [1, 2, 3], at: moment, text: text))
        for wrong in [
            try signed("benji-log-head"), try signed(ConsentReceipt.type), try signed(algorithm: "ES384"),
            try signed(algorithm: "none"), try signed(without: "log"), try signed(without: "size"),
            try signed(without: "root"), try signed(without: "time"), try signed(by: SoftwareDeviceSigner()), "",
            "a.b.c",
        ] { #expect(head(wrong) == nil, "\(wrong)") }
        #expect(head(text, log: "another") == nil)
        let own = try LogHead(size: 5, root: [1, 2, 3], at: moment, vault: vault)
        #expect(head(own.text) == own)
    }

    @Test("a head counts from the second in which its key began to sign to the second of its end")
    func keyTimes() throws {
        let text = try signed()
        let second = moment.seconds
        func counts(from: Int64?, until: Int64?) -> Bool {
            head(
                text,
                PublishedReceiptKey(
                    vault.receiptKey, from: from.map { Timestamp(seconds: second + $0) },
                    until: until.map { Timestamp(seconds: second + $0) })) != nil
        }
        #expect(counts(from: 0, until: 0) && counts(from: nil, until: 0) && counts(from: 0, until: nil))
        #expect(!counts(from: 1, until: nil) && !counts(from: nil, until: -1))
    }

    @Test("a receipt of another type or algorithm is none, though its key signed it")
    func receipts() throws {
        func receipt(_ type: String, _ algorithm: JSON, issued: JSON?) throws -> String {
            let signer = vault.receiptSigner
            return try JWSParts.write(
                header: .object(["alg": algorithm, "typ": .string(type)]), payload: .object(["iat": issued])
            ) { try signer.signature(over: $0) }
        }
        func isReceipt(_ text: String) -> Bool {
            (try? ConsentReceipt(verifying: text, keys: [PublishedReceiptKey(vault.receiptKey)])) != nil
        }
        #expect(isReceipt(try receipt(ConsentReceipt.type, "ES256", issued: 5)))
        for wrong in [
            try receipt(LogHead.type, "ES256", issued: 5), try receipt(ConsentReceipt.type, "ES384", issued: 5),
            try receipt(ConsentReceipt.type, "ES256", issued: nil),
            try receipt(ConsentReceipt.type, "ES256", issued: "5"),
        ] { #expect(!isReceipt(wrong), "\(wrong)") }
    }

    // MARK: trees

    @Test("a range of which a node is missing has no hash, and an empty one has the empty tree's")
    func missingNodes() {
        let hashes: [LogNode.Place: [UInt8]] = [.init(level: 1, index: 0): [1], .init(level: 0, index: 2): [2]]
        #expect(MerkleTree.hash(of: 0..<3, hashes) == MerkleTree.hash([1], [2]))
        #expect(MerkleTree.hash(of: 0..<4, hashes) == nil && MerkleTree.hash(of: 2..<4, hashes) == nil)
        #expect(MerkleTree.hash(of: 3..<3, hashes) == MerkleTree.emptyRoot)
    }

    @Test("the empty tree is before every other one under its own root alone, and no tree has a negative size")
    func emptyTrees() {
        let (empty, root) = (MerkleTree.emptyRoot, MerkleTree.leafHash([1]))
        func holds(_ first: Int64, _ from: [UInt8], _ second: Int64, _ to: [UInt8], _ proof: [[UInt8]] = []) -> Bool {
            MerkleTree.isConsistent((first, from), (second, to), proof: proof)
        }
        #expect(holds(0, empty, 1, root) && holds(1, root, 1, root) && holds(0, empty, 0, empty))
        #expect(!holds(0, root, 1, root) && !holds(0, empty, 1, root, [root]) && !holds(1, root, 1, empty))
        #expect(
            !holds(1, root, 1, root, [root]) && !holds(-1, root, 1, root, [root]) && !holds(2, root, 1, root, [root]))
        #expect(!holds(1, root, 2, root) && holds(1, root, 2, MerkleTree.hash(root, empty), [empty]))
    }

    @Test(
        "a proof that is longer or shorter than its trees are deep proves nothing, though its hashes come to the roots")
    func depths() {
        let hashes = (0..<4).map { MerkleTree.leafHash([UInt8($0)]) }
        let pair = MerkleTree.hash(hashes[0], hashes[1])
        #expect(MerkleTree.isIncluded(hashes[1], at: 1, in: 2, proof: [hashes[0]], root: pair))
        #expect(!MerkleTree.isIncluded(hashes[1], at: 0, in: 1, proof: [hashes[0]], root: pair))
        #expect(!MerkleTree.isIncluded(hashes[0], at: 0, in: 2, proof: [], root: hashes[0]))
        func holds(_ first: Int64, _ from: [UInt8], _ second: Int64, _ to: [UInt8], _ proof: [[UInt8]]) -> Bool {
            MerkleTree.isConsistent((first, from), (second, to), proof: proof)
        }
        let (former, latter) = (MerkleTree.hash(hashes[2], hashes[0]), MerkleTree.hash(hashes[2], pair))
        #expect(holds(3, former, 4, latter, Array(hashes[..<3])))
        #expect(!holds(3, MerkleTree.hash(hashes[3], former), 4, MerkleTree.hash(hashes[3], latter), hashes))
        #expect(!holds(3, former, 4, latter, []))
        #expect(!holds(1, hashes[0], 4, pair, [hashes[1]]))
        #expect(!holds(3, hashes[0], 1, hashes[0], [hashes[0]]))
        #expect(MerkleTree.consistency(from: 3, to: 2).isEmpty)
    }
}
