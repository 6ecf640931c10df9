import BenjiProtocol

/// Names a key in an HSM, the module that speaks to it and the file of its PIN (RFC 7512), as in
/// `pkcs11:token=benji;object=master?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=file:/etc/benji/hsm-pin`.
package struct PKCS11URI: Hashable, Sendable {
    /// Label of the token.
    package var token: String?
    /// Serial number of the token.
    package var serial: String?
    package var manufacturer: String?
    package var model: String?
    /// Label of the key (CKA_LABEL).
    package var object: String?
    /// CKA_ID of the key.
    package var id: [UInt8]?
    /// Whole path of the module.
    package var modulePath: String
    /// Whole path of the file that holds the PIN; `nil` for a token that asks for none.
    package var pinPath: String?

    /// The key alone, for messages.
    package let name: String

    /// Why a text is no such URI. It repeats nothing that may be a PIN.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
        init(_ description: String) { self.description = description }
    }

    package init(_ text: String) throws(Problem) {
        guard text.hasPrefix(Self.scheme) else {
            throw Problem("must begin with \(Self.scheme), such as \(Self.example)")
        }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) else {
            throw Problem("must hold no blanks; write one as %20")
        }
        let parts = text.dropFirst(Self.scheme.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = try Self.attributes(parts[0], between: ";")
        let query = try Self.attributes(parts.count > 1 ? parts[1] : "", between: "&")
        for name in path.keys.sorted() where !Self.pathAttributes.contains(name) {
            throw Problem(
                name.hasPrefix("slot-")
                    ? "names a slot (\(name)), and slots change their numbers; name the token by its label: token=…"
                    : "has an attribute that is not read before the question mark: \(name); these are: "
                        + Self.pathAttributes.joined(separator: ", "))
        }
        for name in query.keys.sorted() where !Self.queryAttributes.contains(name) {
            throw Problem(
                name == "pin-value"
                    ? "holds the PIN (pin-value), where others can read it; write it into a file of mode 0600 and name "
                        + "that: "
                        + "pin-source=file:/etc/benji/hsm-pin"
                    : "has an attribute that is not read behind the question mark: \(name); these are: "
                        + Self.queryAttributes.joined(separator: ", "))
        }
        if let type = path["type"], type != Array("secret-key".utf8) {
            throw Problem("names an object that is no secret key (type); a wrapping key is one: type=secret-key")
        }
        token = try Self.words(path, "token")
        serial = try Self.words(path, "serial")
        manufacturer = try Self.words(path, "manufacturer")
        model = try Self.words(path, "model")
        object = try Self.words(path, "object")
        id = path["id"]
        guard token != nil || serial != nil else { throw Problem("names no token; add its label: token=…") }
        guard object != nil || id != nil else { throw Problem("names no key; add its label: object=…") }
        guard let module = try Self.words(query, "module-path") else {
            throw Problem("names no module; add the path of your HSM's library: ?module-path=/usr/lib/….so")
        }
        guard module.hasPrefix("/") else {
            throw Problem("must name the module by its whole path: module-path=/usr/lib/….so")
        }
        modulePath = module
        if let source = try Self.words(query, "pin-source") {
            var file = Substring(source)
            if file.hasPrefix("file://") { file = file.dropFirst("file://".count) }
            if file.hasPrefix("file:") { file = file.dropFirst("file:".count) }
            guard file.hasPrefix("/") else {
                throw Problem("must name the PIN's file by its whole path: pin-source=file:/etc/benji/hsm-pin")
            }
            pinPath = String(file)
        }
        name = Self.scheme + String(parts[0])
    }

    private static let scheme = "pkcs11:"
    /// In the words of the vendor whose module is free software.
    package static let example =
        "pkcs11:token=benji;object=master?module-path=/usr/lib/softhsm/libsofthsm2.so"
        + "&pin-source=file:/etc/benji/hsm-pin"
    private static let pathAttributes = ["token", "serial", "manufacturer", "model", "object", "id", "type"]
    private static let queryAttributes = ["module-path", "pin-source"]

    private static func attributes(
        _ text: Substring, between separator: Character
    ) throws(Problem) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        guard !text.isEmpty else { return found }
        for pair in text.split(separator: separator, omittingEmptySubsequences: false) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty else {
                throw Problem("must be pairs of name=value, with \(separator) between them")
            }
            let name = String(sides[0])
            guard let value = bytes(sides[1]), !value.isEmpty else {
                throw Problem("has nothing, or a percent sign without two hexadecimal digits, behind \(name)=")
            }
            guard found.updateValue(value, forKey: name) == nil else { throw Problem("names \(name) twice") }
        }
        return found
    }

    /// Decodes the percent signs of a value.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:)),
                let low = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:))
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func words(_ values: [String: [UInt8]], _ name: String) throws(Problem) -> String? {
        guard let bytes = values[name] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw Problem("must be UTF-8 behind \(name)=")
        }
        return text
    }
}
