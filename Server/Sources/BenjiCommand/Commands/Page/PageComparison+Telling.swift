import Administration
import BenjiPage
import BenjiPageReports
import ServerRuntime

extension PageComparison {
    /// For a person, in paragraphs; one line when nothing changed.
    var lines: [String] {
        guard !isSame else { return ["the same page"] }
        var lines: [String] = []
        func paragraph(_ title: String, _ rows: [String]) {
            guard !rows.isEmpty else { return }
            lines += ["", title] + rows.map { "  " + $0 }
        }
        paragraph("Fields", fields.map { "\($0.path): \(Self.text($0.old)) -> \(Self.text($0.new))" })
        paragraph("Boxes, looked at in \(viewings.count) ways", boxes.map(line))
        if boxes.isEmpty { lines += ["", "No box is different as the page appears."] }
        paragraph("Findings gained", gained.map(line))
        paragraph("Findings lost", lost.map(line))
        return lines
    }

    private func line(_ box: Box) -> String {
        let name = box.key.role.rawValue + (box.key.number > 0 ? " \(box.key.number + 1)" : "")
        var line = Terminal.padded(box.key.change.rawValue, to: 9) + name
        if let first = box.cases.first {
            switch box.key.change {
            case .added: line += "  at \(first.new?.frame.description ?? "")"
            case .removed: line += "  from \(first.old?.frame.description ?? "")"
            case .moved: line += "  \(first.old?.frame.description ?? "") -> \(first.new?.frame.description ?? "")"
            case .changed:
                if let old = first.old, let new = first.new {
                    line += "  " + old.aspects(unlike: new).joined(separator: ", ")
                }
            }
            let frames = Set(box.cases.map { [$0.old?.frame, $0.new?.frame] })
            if box.key.change != .changed, frames.count > 1 {
                line += " on \(first.viewing.values.map(\.value).joined(separator: ", "))"
            }
        }
        return line + "  (\(PageViewing.summary(box.cases.map(\.viewing), of: viewings)))"
    }

    private func line(_ entry: PageFindings.Entry) -> String {
        Terminal.padded(entry.finding.severity.rawValue, to: 9) + entry.finding.rule.rawValue + "  "
            + entry.finding.role.rawValue + "  (\(PageViewing.summary(entry.viewings, of: viewings)))"
    }

    private static func text(_ value: PageJSON?) -> String {
        guard let value else { return "not there" }
        let text = value.text
        return text.count <= 80 ? text : text.prefix(77) + "…"
    }

    /// For a program: everything, each box with every way of looking in which it differs.
    func json(_ digests: (old: String, new: String)) -> PageJSON {
        func member(_ name: String, _ value: PageJSON) -> PageJSON.Member { PageJSON.Member(name, value) }
        func pair(_ old: PageJSON?, _ new: PageJSON?) -> [PageJSON.Member] {
            [old.map { member("old", $0) }, new.map { member("new", $0) }].compactMap { $0 }
        }
        return .object([
            member("same", .bool(isSame)),
            member("digests", .object(pair(.string(digests.old), .string(digests.new)))),
            member(
                "fields",
                .array(fields.map { .object([member("path", .string($0.path))] + pair($0.old, $0.new)) })),
            member("boxes", .array(boxes.map(json))), member("gained", .array(gained.map(\.json))),
            member("lost", .array(lost.map(\.json))),
        ])
    }

    private func json(_ box: Box) -> PageJSON {
        func frame(_ box: PageBox?) -> PageJSON {
            guard let frame = box?.frame else { return .null }
            return .array([frame.x, frame.y, frame.width, frame.height].map { PageJSON.number($0) ?? .null })
        }
        let cases = box.cases.map { one -> PageJSON in
            var members = [
                PageJSON.Member("in", one.viewing.json), PageJSON.Member("old", frame(one.old)),
                PageJSON.Member("new", frame(one.new)),
            ]
            if box.key.change == .changed, let old = one.old, let new = one.new {
                let aspects = old.aspects(unlike: new).map { PageJSON.string($0) }
                members.append(PageJSON.Member("aspects", .array(aspects)))
            }
            return .object(members)
        }
        return .object([
            PageJSON.Member("change", .string(box.key.change.rawValue)),
            PageJSON.Member("role", .string(box.key.role.rawValue)),
            PageJSON.Member("number", .number(thousandths: Int64(box.key.number) * 1000)),
            PageJSON.Member("where", .array(cases)),
        ])
    }
}
