import BenjiPageHTML
import Mustache

/// Pages that are written as mustache templates. Every text that is put into them is escaped.
package struct PageTemplates: Sendable {
    /// swift-mustache escapes characters as people count them, so it lets a quotation mark with an accent behind it
    /// through, and that would end an attribute. Browsers, and this, look at each scalar.
    private struct Escaping: MustacheContentType {
        func escapeText(_ text: String) -> String { PageHTML.escaped(text) }
    }

    private let library: MustacheLibrary

    /// - Parameter sources: the templates by name.
    package init(_ sources: [String: [UInt8]]) {
        MustacheContentTypes.register(Escaping(), named: "PAGE")
        var library = MustacheLibrary()
        for (name, bytes) in sources {
            // Every template says it, because one that is put into another begins with the library's own escaping.
            let text = "{{% CONTENT_TYPE: PAGE}}\n" + String(decoding: bytes, as: UTF8.self)
            do { try library.register(text, named: name) } catch {
                preconditionFailure("the template \(name) cannot be read: \(error)")
            }
        }
        self.library = library
    }

    package func render(_ name: String, _ values: [String: Any]) -> String {
        guard let text = library.render(values, withTemplate: name) else {
            preconditionFailure("there is no template \(name)")
        }
        return text
    }
}
