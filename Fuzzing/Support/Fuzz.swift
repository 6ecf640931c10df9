#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where libFuzzer comes in. Each target is one file in `Fuzzing/Targets` with a function `target(_:)`; it is compiled
/// together with this one.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    // A copy of exactly this size, so that AddressSanitizer sees the first byte that is read behind it.
    target(Array(UnsafeRawBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the run when a promise does not hold for this input; libFuzzer then keeps the input.
func hold(_ promise: StaticString, _ condition: Bool) {
    if !condition { fatalError("broken promise: \(promise)") }
}

/// The value of `attempt`, which may not fail for this input.
func hold<Value>(_ promise: StaticString, _ attempt: () throws -> Value) -> Value {
    do { return try attempt() } catch { fatalError("broken promise: \(promise): \(error)") }
}

/// A place that a target must reach with its seeds alone, or it tests nothing behind it.
///
/// `scripts/fuzz.sh --self-test` names each place in `BENJI_FUZZ_LANDMARK` and expects a crash there.
func reached(_ landmark: StaticString) {
    if let wanted = Landmark.wanted, wanted == "\(landmark)" { fatalError("reached: \(landmark)") }
}

private enum Landmark {
    static let wanted = getenv("BENJI_FUZZ_LANDMARK").map { String(cString: $0) }
}

/// Takes decisions off the front of an input, so that the fuzzer chooses them.
struct Choices {
    private(set) var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    /// The next byte, 0 behind the end.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Two bytes, most significant first.
    mutating func word() -> Int { Int(byte()) << 8 | Int(byte()) }
}
