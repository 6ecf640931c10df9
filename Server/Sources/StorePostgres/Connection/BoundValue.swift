/// A value that can be an argument of a statement. An optional that is `nil` is sent as NULL.
protocol BoundValue {
    /// PostgreSQL's number of the type.
    static var type: UInt32 { get }
    /// PostgreSQL's number of the type of arrays of these.
    static var arrayType: UInt32 { get }
    /// In PostgreSQL's binary format; `nil` for NULL.
    var encoded: [UInt8]? { get }
}

extension FixedWidthInteger {
    /// Most significant byte first.
    var networkBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension Int: BoundValue {
    static var type: UInt32 { Int64.type }
    static var arrayType: UInt32 { Int64.arrayType }
    var encoded: [UInt8]? { networkBytes }
}

extension Int64: BoundValue {
    static var type: UInt32 { 20 }
    static var arrayType: UInt32 { 1016 }
    var encoded: [UInt8]? { networkBytes }
}

extension Int32: BoundValue {
    static var type: UInt32 { 23 }
    static var arrayType: UInt32 { 1007 }
    var encoded: [UInt8]? { networkBytes }
}

extension Bool: BoundValue {
    static var type: UInt32 { 16 }
    static var arrayType: UInt32 { 1000 }
    var encoded: [UInt8]? { [self ? 1 : 0] }
}

extension String: BoundValue {
    static var type: UInt32 { 25 }
    static var arrayType: UInt32 { 1009 }
    var encoded: [UInt8]? { Array(utf8) }
}

extension Array: BoundValue where Element == UInt8 {
    static var type: UInt32 { 17 }
    static var arrayType: UInt32 { 1001 }
    var encoded: [UInt8]? { self }
}

extension Optional: BoundValue where Wrapped: BoundValue {
    static var type: UInt32 { Wrapped.type }
    static var arrayType: UInt32 { Wrapped.arrayType }
    var encoded: [UInt8]? { self?.encoded }
}

/// Many values as one argument: PostgreSQL's array of one dimension.
struct Values<Element: BoundValue>: BoundValue {
    var elements: [Element]

    init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }

    static var type: UInt32 { Element.arrayType }
    static var arrayType: UInt32 { Element.arrayType }

    var encoded: [UInt8]? {
        var bytes: [UInt8] = []
        // Dimensions, whether there are NULLs, the elements' type; then how many, and the first one's number.
        bytes += Int32(elements.isEmpty ? 0 : 1).networkBytes + Int32(1).networkBytes + Element.type.networkBytes
        guard !elements.isEmpty else { return bytes }
        bytes += Int32(elements.count).networkBytes + Int32(1).networkBytes
        for element in elements {
            guard let value = element.encoded else {
                bytes += Int32(-1).networkBytes
                continue
            }
            bytes += Int32(value.count).networkBytes + value
        }
        return bytes
    }
}
