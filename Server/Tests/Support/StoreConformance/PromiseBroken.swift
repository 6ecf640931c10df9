/// A promise that a driver did not keep: the observation, and the line of the promise that made it.
package struct PromiseBroken: Error, CustomStringConvertible {
    package var what: String
    /// File and line inside StoreConformance.
    package var place: String

    package init(_ what: String, _ place: String) {
        self.what = what
        self.place = place
    }

    package var description: String { "\(what) (\(place))" }
}

func expect(
    _ condition: Bool, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws(PromiseBroken) {
    if !condition { throw PromiseBroken(what(), "\(file):\(line)") }
}

func expect<Value: Equatable>(
    _ value: Value, is expected: Value, _ what: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) throws(PromiseBroken) {
    if value != expected { throw PromiseBroken("\(what()): \(value) instead of \(expected)", "\(file):\(line)") }
}
