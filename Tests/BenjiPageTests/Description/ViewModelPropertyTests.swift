import PageProperties
import Testing

@testable import BenjiPage

@Suite struct ViewModelPropertyTests {
    private func page(_ path: String) throws -> PageDescription {
        try #require(try PageSamples.page(path), "\(path) changes nothing")
    }

    private func base(_ path: String) -> PageDescription { PageSamples.base(path) }

    /// Boxes of one role in every state, upright and on the side.
    private func boxes(_ page: PageDescription, _ role: PageRole) throws -> [PageBox] {
        var boxes: [PageBox] = []
        for screen in [PageScreen.phone, .phoneOnItsSide] {
            for state in PageSamples.states {
                boxes += try page.scene(screen, state: state).boxes.filter { $0.role == role }
            }
        }
        return boxes
    }

    @Test("Every property of the vendors' view models that is data is seen where it belongs")
    func seen() throws {
        for (name, property) in viewModelProperties {
            guard case .seen(let path, let role) = property else { continue }
            #expect(try boxes(page(path), role) != boxes(base(path), role), "\(name) is not seen in \(role)")
        }
    }

    @Test("Every image and view that an app supplies has its place, under its name")
    func slots() throws {
        for (name, property) in viewModelProperties {
            guard case .slot(let path, let role) = property else { continue }
            let supplied = try #require(try PageSamples.suppliedName(path), "\(path) has no name")
            let shown = try boxes(page(path), role).contains { $0.image == supplied || $0.slot == supplied }
            #expect(shown, "\(name) is not shown in \(role)")
        }
    }

    @Test("What a renderer is told is part of the description, survives writing, and changes the page digest")
    func told() throws {
        for (_, property) in viewModelProperties {
            let path: String
            switch property {
            case .told(let field), .animation(let field): path = field
            default: continue
            }
            let page = try page(path)
            #expect(try PageDescription(page.json()) == page)
            #expect(try page.bytesForDigest() != base(path).bytesForDigest())
        }
    }

    @Test("No property is listed twice, and every field of the description belongs to one")
    func complete() throws {
        #expect(Set(viewModelProperties.map(\.name)).count == viewModelProperties.count)
        var paths: Set<String> = []
        for (_, property) in viewModelProperties {
            switch property {
            case .seen(let path, _), .told(let path), .slot(let path, _), .animation(let path): paths.insert(path)
            case .callback: continue
            }
        }
        // Ours alone: what the vendors fix, or pass in the same attributed text.
        let ours = [
            "loginButton.font", "loginButton.color", "loginButton.fills", "loading.mask", "webPage.back.image",
            "popup.position", "popup.close.width", "popup.close.height", "popup.mask", "consentDialog.agree",
            "consentDialog.agreeFill", "consentDialog.disagree", "consentDialog.disagreeFill",
        ]
        func walk(_ json: PageJSON, _ path: String) {
            if paths.contains(path) || ours.contains(path), path != "popup" { return }
            guard case .object(let members) = json, !members.isEmpty else {
                Issue.record("no property becomes \(path)")
                return
            }
            for member in members { walk(member.value, path.isEmpty ? member.name : path + "." + member.name) }
        }
        walk(try PageDescription.changed.json(), "")
    }
}
