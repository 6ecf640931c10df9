import Testing

@testable import FaceMatching

/// Lists of pairs in both formats, and the errors of invalid ones.
@Suite struct FacePairListTests {
    private func pairs(_ text: String) throws -> [FacePairList.Pair] { try FacePairList(text).pairs }

    private func problem(_ text: String) -> String? {
        do throws(FacePairList.Problem) {
            _ = try FacePairList(text)
            return nil
        } catch { return "\(error)" }
    }

    @Test func `A simple list is read with tabs, commas and spaces`() throws {
        let text = "# people\na b.jpg\tc.jpg\tsame\n\nx/1.png, x 2.png, different\r\np q 1\np q 0\n"
        #expect(
            try pairs(text) == [
                .init(one: "a b.jpg", other: "c.jpg", isSame: true, fold: 0),
                .init(one: "x/1.png", other: "x 2.png", isSame: false, fold: 0),
                .init(one: "p", other: "q", isSame: true, fold: 0), .init(one: "p", other: "q", isSame: false, fold: 0),
            ])
    }

    @Test func `A list of Labeled Faces in the Wild is read with its folds`() throws {
        let text = """
            2\t1
            Abel_Pacheco\t1\t4
            Abdel_Madi_Shabneh\t1\tDean_Barker\t12
            Ana\t3\t10000
            Ana\t1\tBob\t1
            """
        let list = try FacePairList(text)
        #expect(list.folds == 2)
        #expect(
            list.pairs == [
                .init(
                    one: "Abel_Pacheco/Abel_Pacheco_0001.jpg", other: "Abel_Pacheco/Abel_Pacheco_0004.jpg",
                    isSame: true, fold: 0),
                .init(
                    one: "Abdel_Madi_Shabneh/Abdel_Madi_Shabneh_0001.jpg", other: "Dean_Barker/Dean_Barker_0012.jpg",
                    isSame: false, fold: 0),
                .init(one: "Ana/Ana_0003.jpg", other: "Ana/Ana_10000.jpg", isSame: true, fold: 1),
                .init(one: "Ana/Ana_0001.jpg", other: "Bob/Bob_0001.jpg", isSame: false, fold: 1),
            ])
        #expect(try FacePairList("1\nAna 1 2\nAna 1 Bob 1").folds == 1)
    }

    @Test func `What is wrong with a list is said with its line`() {
        #expect(problem("") == "line 1: the list is empty")
        #expect(problem("# nothing\n") == "line 1: the list is empty")
        #expect(problem("a b same\na b") == "line 2: 2 fields; expected: PICTURE PICTURE same|different [GROUP]")
        #expect(problem("a b maybe") == "line 1: maybe is neither same nor different")
        let most = "9223372036854775807"
        for line in ["4611686018427387904 2", "\(most) \(most)", most, "1 0", "-1 2"] {
            #expect(problem("\(line)\nAna 1 2")?.hasPrefix("line 1: announces") == true, "\(line)")
        }
        #expect(problem("10 300\nAna 1 2")?.hasPrefix("line 1: announces 10 × 300") == true)
        #expect(problem("1\nAna 1 x\nAna 1 Bob 1") == "line 2: x is not the number of a picture")
        #expect(
            problem("1\nAna 1\nAna 1 Bob 1")
                == "line 2: 2 fields; expected: NAME 1 4 [GROUP], or NAME 1 OTHER 2 [GROUP]")
    }

    @Test func `A further field names the group, in both formats`() throws {
        let simple = try FacePairList("# people\na.jpg,b.jpg,same,older women\na.jpg,c.jpg,0,men\n")
        #expect(simple.pairs.map(\.group) == ["older women", "men"] && simple.groups == ["men", "older women"])
        let lfw = try FacePairList("1\nAna 1 2 north\nAna 1 Bob 3 south")
        #expect(
            lfw.pairs == [
                .init(one: "Ana/Ana_0001.jpg", other: "Ana/Ana_0002.jpg", isSame: true, fold: 0, group: "north"),
                .init(one: "Ana/Ana_0001.jpg", other: "Bob/Bob_0003.jpg", isSame: false, fold: 0, group: "south"),
            ])
        #expect(try FacePairList("a b same").groups == [])
    }

    @Test func `A group that is missing somewhere is said with its line`() {
        #expect(
            problem("\na b same x\n\nc d same")
                == "line 4: no group, but line 2 names one: name a group on every line or on none")
        #expect(
            problem("a b same\nc d same x")
                == "line 2: a group, but line 1 names none: name a group on every line or on none")
        #expect(
            problem("1\nAna 1 2\nAna 1 Bob 3 south")
                == "line 3: a group, but the first pair names none: name a group on every line or on none")
        #expect(problem("a b same x y") == "line 1: 5 fields; expected: PICTURE PICTURE same|different [GROUP]")
        #expect(problem("1\nAna 1 2 x y\nAna 1 Bob 3")?.hasPrefix("line 2: 5 fields") == true)
    }
}
