import BenjiPage
import BenjiPageDesign
import PageProperties
import Testing

@Suite("The list of a description's fields")
struct PageFieldTests {
    /// Every path of a JSON value, `[]` for whatever element. A colour, a text and a list of words or texts are one
    /// field.
    private static func paths(_ json: PageJSON, at path: String = "") -> Set<String> {
        switch json {
        case .object(let members) where json["light"] == nil && json["zh-Hans"] == nil:
            return members.reduce(into: path.isEmpty ? [] : [path]) { paths, member in
                paths.formUnion(Self.paths(member.value, at: path.isEmpty ? member.name : path + "." + member.name))
            }
        case .array(let values):
            return values.reduce(into: [path]) { paths, value in
                guard case .object = value, value["zh-Hans"] == nil else { return }
                paths.formUnion(Self.paths(value, at: path + "[]").subtracting([path + "[]"]))
            }
        default: return [path]
        }
    }

    /// A page with every field that a description can have.
    private static var full: PageDescription {
        var page = PageSamples.changed
        page.webPage.back.image = PageImage("back", width: 13, height: 21)
        page.navigationBar.title?.style.font.typeface = "Bar"
        page.number.font.typeface = "Number"
        page.slogan.font.typeface = "Slogan"
        page.loginButton.title.font.typeface = "Button"
        page.switchButton.title.font.typeface = "Link"
        page.terms.font.typeface = "Terms"
        page.webPage.title?.style.font.typeface = "Bar"
        page.consentDialog?.title.font.typeface = "Dialog"
        page.consentDialog?.agree.font.typeface = "Dialog"
        page.consentDialog?.disagree.font.typeface = "Dialog"
        return page
    }

    @Test("The list has every field that a description writes, and no other")
    func isComplete() throws {
        let written = Self.paths(try Self.full.json())
        let listed = PageField.all.map(\.path)
        #expect(Set(listed) == written)
        #expect(listed.count == Set(listed).count)
    }

    @Test(
        "A sample page sets every property of a description, optional ones too, so that the list is held to all of them"
    )
    func isHeldToAllProperties() {
        func unset(_ value: Any, at path: String) -> [String] {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .optional {
                guard let inside = mirror.children.first else { return [path] }
                return unset(inside.value, at: path)
            }
            return mirror.children.flatMap { unset($0.value, at: "\(path).\($0.label ?? "")") }
        }
        #expect(unset(Self.full, at: "page").isEmpty)
    }

    @Test("Bounds, words and optional fields are those that reading keeps to", arguments: PageField.all)
    func isTrue(_ field: PageField) throws {
        let full = try Self.full.json()
        func isRead(_ value: PageJSON?) -> Bool {
            (try? PageDescription(full.setting(field.path, to: value))) != nil
        }
        func number(_ value: Double) -> PageJSON { PageJSON.number(value) ?? .null }
        switch field.kind {
        case .number(let least, let most):
            #expect(isRead(number(least)))
            #expect(isRead(number(most)))
            #expect(!isRead(number(least - 1)))
            #expect(!isRead(number(most + 1)))
        case .word(let words):
            for word in words { #expect(isRead(.string(word))) }
            #expect(!isRead(.string("another")))
        case .words(let words, let least):
            #expect(isRead(.array(words.map { .string($0) })))
            #expect(isRead(.array([])) == (least == 0))
            #expect(!isRead(.array([.string("another")])))
        case .flag:
            #expect(isRead(.bool(true)))
            #expect(!isRead(number(1)))
        case .color:
            #expect(isRead(.string("#12345678")))
            #expect(!isRead(.string("red")))
        case .text(let mayBeEmpty):
            #expect(isRead(.string("text")))
            #expect(isRead(.string("")) == mayBeEmpty)
        case .address:
            #expect(isRead(.string("https://app.example/")))
            #expect(!isRead(.string("http://app.example/")))
        case .resource:
            #expect(isRead(.string("folder/name.png")))
            #expect(!isRead(.string("../name")))
        case .list(let least, let most, let fresh):
            let one = try PageJSON(parsing: fresh)
            #expect(isRead(.array(Array(repeating: one, count: most))))
            #expect(!isRead(.array(Array(repeating: one, count: most + 1))))
            #expect(isRead(.array(Array(repeating: one, count: least))))
            if least > 0 { #expect(!isRead(.array(Array(repeating: one, count: least - 1)))) }
        case .part(let fresh): #expect(isRead(try PageJSON(parsing: fresh)))
        case .group: break
        }
        if field.isOptional {
            let without = try PageDescription(full.setting(field.path, to: nil)).json()
            #expect(Self.paths(without).contains(field.path) == false)
        }
    }

    @Test("Every field has a name in both languages")
    func isNamed() {
        for field in PageField.all {
            #expect(!field.label.simplifiedChinese.isEmpty)
            #expect(!field.label.english.isEmpty)
        }
    }
}

extension PageJSON {
    /// The value with the one at that path changed, in every element of a list, or taken away.
    func setting(_ path: String, to value: PageJSON?) -> PageJSON {
        setting(path.replacing("[]", with: ".[]").split(separator: ".").map { String($0) }[...], to: value)
            ?? .object([])
    }

    private func setting(_ path: ArraySlice<String>, to value: PageJSON?) -> PageJSON? {
        guard let name = path.first else { return value }
        switch self {
        case .array(let values):
            return .array(values.compactMap { name == "[]" ? $0.setting(path.dropFirst(), to: value) : $0 })
        case .object(let members):
            return .object(
                members.compactMap { member in
                    guard member.name == name else { return member }
                    return member.value.setting(path.dropFirst(), to: value).map { Member(name, $0) }
                })
        default: return self
        }
    }
}
