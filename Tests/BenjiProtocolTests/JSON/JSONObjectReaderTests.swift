import BenjiProtocol
import Testing

@Suite struct JSONObjectReaderTests {
    private func place(_ body: () throws -> Void) -> String? {
        do { try body() } catch let error as JSONError { return error.place } catch { return nil }
        return nil
    }

    @Test("Missing, mistyped and out-of-range members name their path")
    func paths() throws {
        let json = try JSON(parsing: #"{"a":{"n":11,"s":"text","list":[1,2],"f":1.5,"t":"true"}}"#)
        var root = try JSONObjectReader(json)
        let nested = try root.object("a")
        #expect(
            place {
                var reader = nested
                _ = try reader.string("x")
            } == "$.a.x")
        #expect(
            place {
                var reader = nested
                _ = try reader.string("n")
            } == "$.a.n")
        #expect(
            place {
                var reader = nested
                _ = try reader.string("s", length: 5...9)
            } == "$.a.s")
        #expect(
            place {
                var reader = nested
                _ = try reader.integer("n", in: 0...10)
            } == "$.a.n")
        #expect(
            place {
                var reader = nested
                _ = try reader.integer("f")
            } == "$.a.f")
        #expect(
            place {
                var reader = nested
                _ = try reader.bool("t")
            } == "$.a.t")
        #expect(
            place {
                var reader = nested
                _ = try reader.array("list", count: 0...1)
            } == "$.a.list")
        #expect(
            place {
                var reader = nested
                _ = try reader.object("s")
            } == "$.a.s")
        #expect(
            place {
                var reader = nested
                _ = try reader.value("s", "no", { _ in Int?.none })
            } == "$.a.s")
        #expect(place { _ = try JSONObjectReader([1, 2].json) } == "$")
    }

    @Test("A null member counts as absent")
    func null() throws {
        var reader = try JSONObjectReader(try JSON(parsing: #"{"a":null}"#))
        #expect(reader.optional("a") == nil)
        #expect(throws: JSONError.self) { try reader.value("a") }
        #expect(throws: Never.self) { try reader.finish() }
    }

    @Test("A member that nobody asked for is refused by name")
    func unknownMembers() throws {
        var reader = try JSONObjectReader(try JSON(parsing: #"{"a":1,"isAdmin":true}"#), path: "$.body")
        _ = try reader.integer("a")
        let error = #expect(throws: JSONError.self) { try reader.finish() }
        #expect(error?.place == "$.body.isAdmin")
    }

    @Test(
        "The name of an unknown member is shown only when it cannot be a secret",
        arguments: [
            "13800138000", "+8613800138000", "STsid0a1b2c3d4e5f", String(repeating: "a", count: 33), "名", "a b",
        ])
    func unknownMembersThatAreSecrets(name: String) throws {
        let reader = try JSONObjectReader(.object([JSON.Member(name, 1)]))
        let error = #expect(throws: JSONError.self) { try reader.finish() }
        #expect(error?.place == "$")
        #expect(error?.description.contains(name) == false)
    }

    @Test("An error about a value does not repeat the value")
    func valuesStaySecret() throws {
        var reader = try JSONObjectReader(try JSON(parsing: #"{"app":"13800138000","n":13800138000}"#))
        for read in [
            { (reader: inout JSONObjectReader) in
                _ = try reader.value("app", "must be an app id", AppID.init(rawValue:))
            },
            { reader in _ = try reader.integer("n", in: 0...5) },
            { reader in _ = try reader.string("app", length: 1...3) },
        ] as [(inout JSONObjectReader) throws -> Void] {
            let error = #expect(throws: JSONError.self) { try read(&reader) }
            #expect(error?.description.contains("138") == false)
        }
    }
}

extension [Int64] {
    fileprivate var json: JSON { .array(map { .integer($0) }) }
}
