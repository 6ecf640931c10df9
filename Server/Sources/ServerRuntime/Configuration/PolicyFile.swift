package import BenjiPolicy
import BenjiProtocol
import Foundation
import Gateway

/// An operator's policy file, read and checked, the number plans' countries included.
package struct PolicyFile {
    package let policy: CarrierPolicy

    /// - Throws: an error that names file, line and member.
    package init(_ path: String) throws(ConfigurationError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            let reason = CommandFile.readingProblem(path) ?? "it cannot be read"
            throw ConfigurationError(key: "policy", problem: "\(path): \(reason)")
        }
        try self.init(Array(data), named: path)
    }

    /// - Parameter path: how messages call the text.
    package init(_ data: [UInt8], named path: String) throws(ConfigurationError) {
        let places = JSONPlaces(data)
        func failure(_ error: JSONError) -> ConfigurationError {
            let line = places.line(of: error.place).map { ":\($0)" } ?? ""
            // A line says more than a count of bytes.
            let place = error.place.hasPrefix("byte ") ? "" : "\(error.place): "
            return ConfigurationError(key: "policy", problem: "\(path)\(line), \(place)\(error.problem)")
        }
        do throws(JSONError) { policy = try CarrierPolicy(JSON(parsing: data)) } catch { throw failure(error) }
        for carrier in policy.order {
            guard let country = policy.carriers[carrier]?.country, NetworkAccessServer.country(country) == nil else {
                continue
            }
            throw failure(
                JSONError(
                    place: "$.carriers.\(carrier.rawValue).country", problem: "numbers of \(country) are not known"))
        }
    }
}

/// On which line of a JSON text a value begins.
package struct JSONPlaces {
    private let bytes: [UInt8]
    private var offsets: [String: Int] = [:]

    /// - Parameter bytes: a JSON text. If it has a mistake, only the lines before the mistake are known.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var walk = Walk(bytes)
        walk.value("$")
        offsets = walk.offsets
    }

    /// The line, from 1, of a place as a ``BenjiProtocol/JSONError`` names it: a path, or a count of bytes. For a
    /// missing member it is the line of the object that should hold it.
    package func line(of place: String) -> Int? {
        if place.hasPrefix("byte "), let offset = Int(place.dropFirst(5)) { return line(at: offset) }
        var path = place[...]
        while !path.isEmpty {
            if let offset = offsets[String(path)] { return line(at: offset) }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            path = path[..<end]
        }
        return nil
    }

    private func line(at offset: Int) -> Int { 1 + bytes.prefix(offset).count { $0 == 0x0a } }

    /// Goes once through the text; where it is no JSON, it stops.
    private struct Walk {
        let bytes: [UInt8]
        var position = 0
        var offsets: [String: Int] = [:]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        private mutating func skip() {
            while let byte = current, byte == 0x20 || (0x09...0x0d).contains(byte) { position += 1 }
        }

        /// Whether the value was read to its end.
        @discardableResult
        mutating func value(_ path: String, depth: Int = 0) -> Bool {
            skip()
            guard depth <= JSON.maximumDepth else { return false }
            offsets[path] = position
            switch current {
            case 0x7b: return elements(until: 0x7d) { walk, _ in walk.member(of: path, depth) }
            case 0x5b: return elements(until: 0x5d) { walk, index in walk.value("\(path)[\(index)]", depth: depth + 1) }
            case 0x22: return string() != nil
            case nil: return false
            default:
                while let byte = current, ![0x2c, 0x7d, 0x5d, 0x20, 0x09, 0x0a, 0x0d].contains(byte) { position += 1 }
                return true
            }
        }

        private mutating func elements(until end: UInt8, _ read: (inout Walk, Int) -> Bool) -> Bool {
            position += 1
            var index = 0
            while true {
                skip()
                if current == end {
                    position += 1
                    return true
                }
                if index > 0 {
                    guard current == 0x2c else { return false }
                    position += 1
                    skip()
                }
                guard read(&self, index) else { return false }
                index += 1
            }
        }

        private mutating func member(of path: String, _ depth: Int) -> Bool {
            let start = position
            guard current == 0x22, let name = string() else { return false }
            skip()
            guard current == 0x3a else { return false }
            position += 1
            let inner = "\(path).\(name)"
            guard value(inner, depth: depth + 1) else { return false }
            // Where its name stands, which may be a line before.
            offsets[inner] = start
            return true
        }

        /// A string as it is written, without its quotation marks; names of a policy's members have no escapes.
        private mutating func string() -> String? {
            let start = position + 1
            position = start
            while let byte = current {
                if byte == 0x22 {
                    position += 1
                    return String(decoding: bytes[start..<position - 1], as: UTF8.self)
                }
                position += byte == 0x5c ? 2 : 1
            }
            return nil
        }
    }
}
