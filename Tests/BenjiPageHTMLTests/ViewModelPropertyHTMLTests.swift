import BenjiPage
import BenjiPageHTML
import Foundation
import PageProperties
import Testing

/// The parts of a document that draw the boxes of one role: elements, and the rules of their classes and their runs.
private struct Drawn: Equatable {
    var elements: [String] = []
    var rules: [String] = []

    init(_ document: String, _ role: PageRole) throws {
        let lines = document.split(separator: "\n").map(String.init)
        let mark = "data-role=\"\(role.rawValue)\""
        elements = lines.filter { $0.contains(mark) }
        for element in elements {
            // s0b12 and, of the runs in it, s0b12r0c1.
            let box = try #require(element.firstMatch(of: /s\d+b\d+/)).output
            rules += lines.filter { $0.firstMatch(of: /s\d+b\d+/)?.output == box && $0.hasPrefix(".") }
        }
    }
}

@Suite struct ViewModelPropertyHTMLTests {
    private func documents(_ page: PageDescription) throws -> [String] {
        var documents: [String] = []
        for screen in [
            PageScreen(393, 852, safeArea: PageInsets(top: 59, bottom: 34)),
            PageScreen(852, 393, safeArea: PageInsets(left: 59, bottom: 21, right: 59)),
        ] {
            for change in PageSamples.states {
                var state = PageState(of: page)
                change(&state)
                let scene = try PageScene(
                    page, facts: .sample(.mobile), state: state, screen: screen, measuredBy: AdvanceTable())
                documents.append(PageHTML([scene], PageHTML.Options(nonce: "bm9uY2U")).document)
            }
        }
        return documents
    }

    @Test("Every property of the vendors' view models that is data is seen in the elements of its role")
    func seen() throws {
        for (name, property) in viewModelProperties {
            guard case .seen(let path, let role) = property else { continue }
            let page = try #require(try PageSamples.page(path), "\(path) changes nothing")
            let before = try documents(PageSamples.base(path)).map { try Drawn($0, role) }
            let after = try documents(page).map { try Drawn($0, role) }
            #expect(before != after, "\(name) is not seen in \(role)")
        }
    }

    @Test("Every picture of the vendors' view models is drawn where the scene has it, and every view has its place")
    func slots() throws {
        for (name, property) in viewModelProperties {
            guard case .slot(let path, let role) = property else { continue }
            // A form has no waiting, a mask no view, and the tick's pictures are rules, tested by themselves.
            if [.loading, .mask, .tick].contains(role) { continue }
            let page = try #require(try PageSamples.page(path), "\(path) changes nothing")
            let supplied = try #require(try PageSamples.suppliedName(path))
            let address = "data:image/png;base64,AAAA"
            var found = false
            for screen in [PageScreen(393, 852), PageScreen(852, 393)] {
                for change in PageSamples.states {
                    var state = PageState(of: page)
                    change(&state)
                    let scene = try PageScene(
                        page, facts: .sample(.mobile), state: state, screen: screen, measuredBy: AdvanceTable())
                    var options = PageHTML.Options(nonce: "bm9uY2U")
                    options.media = [(supplied, address)]
                    for element in try Drawn(PageHTML([scene], options).document, role).elements {
                        if element.contains(address) || element.contains("data-slot=\"\(supplied)\"") { found = true }
                    }
                }
            }
            #expect(found, "\(name) is not shown in \(role)")
        }
    }
}
