// JSON: a parsed value, when written, parses as the same value.
//
// Covers: Sources/BenjiProtocol/JSON/JSON+Parsing.swift
// Covers: Sources/BenjiProtocol/JSON/JSON+Writing.swift
import BenjiProtocol

func target(_ input: [UInt8]) {
    let value: JSON
    do throws(JSONError) { value = try JSON(parsing: input) } catch {
        reached("a refusal")
        hold("an error names a byte", error.place.hasPrefix("byte "))
        return
    }
    reached("a value")
    #if PLANTED_TRAP
    if let values = value.arrayValue, values.count == 2, values[1] == .null { fatalError("a planted trap") }
    #elseif PLANTED_OVERREAD
    if let values = value.arrayValue, values.count == 2 { readBehind(input) }
    #endif
    hold("nesting is bounded", depth(of: value) <= JSON.maximumDepth + 1)
    let text = value.serialized
    let again = hold("written JSON is read") { try JSON(parsing: text) }
    hold("a value survives writing and reading", again == value)
    // For strings, == takes two spellings of one letter for the same; bytes do not.
    hold("writing is stable", again.serialized == text)
    hold("white space around a value changes nothing", (try? JSON(parsing: [0x20] + input + [0x0a])) == value)
    hold("a value with something behind it is no value", (try? JSON(parsing: text + [0x2c])) == nil)
    _ = value.integerValue
    _ = value.kind
}

private func depth(of value: JSON) -> Int {
    switch value {
    case .array(let values): 1 + (values.map(depth).max() ?? 0)
    case .object(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
    default: 1
    }
}

#if PLANTED_OVERREAD
/// Reads the byte behind a copy on the heap: only AddressSanitizer sees it.
private func readBehind(_ input: [UInt8]) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: input.count)
    copy.update(from: input, count: input.count)
    if copy[input.count] == 0x99 { print("seen") }
    copy.deallocate()
}
#endif
