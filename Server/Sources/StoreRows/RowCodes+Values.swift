import Store

extension RowCodes {
    func code(of table: String, _ values: [any SQLArgument]) -> [UInt8]? { code(of: table, values.map(\.codedBytes)) }

    func accepts(_ code: [UInt8]?, of table: String, id: String, _ values: [any SQLArgument]) -> Bool {
        accepts(code, of: table, id: id, values.map(\.codedBytes))
    }
}

extension RowCodes {
    func matches(_ code: [UInt8]?, of table: String, _ values: [any SQLArgument]) -> Bool {
        matches(code, of: table, values.map(\.codedBytes))
    }

    /// A digest of a row's content. It is no code. Empty before ``use(_:)``.
    func digest(of table: String, _ values: [any SQLArgument]) -> String {
        let bytes = code(of: "shown \(table)", values)?.prefix(8) ?? []
        return bytes.map(\.hex).joined()
    }
}

extension RowToSeal.Value {
    init(_ name: String, of argument: any SQLArgument) { self.init(name, argument.shownText) }

    /// Values by the names of their columns. If there are more values than names, the rest are parts, and the names in
    /// `partNames` repeat.
    static func named(_ names: [String], partNames: [String], _ values: [any SQLArgument]) -> [RowToSeal.Value] {
        values.enumerated().map { index, value in
            let part = index - names.count
            return RowToSeal.Value(part < 0 ? names[index] : partNames[part % partNames.count], of: value)
        }
    }
}

extension UInt8 {
    fileprivate var hex: String {
        let text = String(self, radix: 16)
        return text.count == 1 ? "0" + text : text
    }
}

extension SQLArgument {
    /// The value for people.
    fileprivate var shownText: String {
        switch sqlValue {
        case .int64(let value): value.map { String($0) } ?? "none"
        case .int32(let value): value.map { String($0) } ?? "none"
        case .bool(let value): value.map { String($0) } ?? "none"
        case .text(let value): value ?? "none"
        case .bytes(let value): value.map { $0.map(\.hex).joined() } ?? "none"
        }
    }

    /// The value as a code covers it: the same for both databases. `nil` for NULL.
    fileprivate var codedBytes: [UInt8]? {
        switch sqlValue {
        case .int64(let value): value.map { Array(String($0).utf8) }
        case .int32(let value): value.map { Array(String($0).utf8) }
        case .bool(let value): value.map { [$0 ? 1 : 0] }
        case .text(let value): value.map { Array($0.utf8) }
        case .bytes(let value): value
        }
    }
}
