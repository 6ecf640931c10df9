import Foundation
package import Store

/// Former keys. Each is in a file of its own with the others', until the operator moves it to where earlier backups are
/// kept.
extension MasterKeyFile {
    private var formerPrefix: String { "\((path as NSString).lastPathComponent).former-" }

    /// Where a key is kept that is taken out.
    package func formerPath(_ id: MasterKeyID) -> String { "\(folder)/\(formerPrefix)\(id.text)" }

    package func formerKeyFiles() -> [FormerKeyFile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            guard name.hasPrefix(formerPrefix), let id = MasterKeyID(text: name.dropFirst(formerPrefix.count)) else {
                return nil
            }
            let path = URL(fileURLWithPath: "\(folder)/\(name)").standardizedFileURL.path
            let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return FormerKeyFile(id: id, path: path, isWrapped: WrappingKeys.isWrapped(text))
        }
    }

    /// Keeps a key in a file of its own, durably. One that a run left that was killed, or that was put back for an old
    /// backup, stays.
    /// - Parameter lines: the key, as it was kept until now.
    func setAside(_ id: MasterKeyID, _ lines: [String]) throws(MasterKeyError) {
        let place = formerPath(id)
        guard try !MasterKeyFile(path: place, wrapping: wrapping).keys().contains(where: { $0.id == id }) else {
            // The process that made it may have been killed before its name was durable.
            return try syncFolder()
        }
        guard access(place, F_OK) != 0 else {
            throw MasterKeyError("\(place) does not hold the key \(id.text): move it away, and run this again")
        }
        try replace(place, with: [try wrapping.lineOfFormer(lines)])
    }

    /// Removes the file of a key, and what a killed run may have left of it.
    func discard(_ id: MasterKeyID) throws(MasterKeyError) {
        let place = formerPath(id)
        for name in [place, Self.draft(of: place)] where unlink(name) != 0 && errno != ENOENT { throw failure(name) }
        try syncFolder()
    }

    /// Puts keys of another file beside those of this one, durably: a backup that is restored needs them.
    package func add(_ ids: Set<MasterKeyID>, from other: String) throws(MasterKeyError) {
        let lines = (try Self.text(of: other) ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        try changing { present throws(MasterKeyError) in
            let known = Set(present.isEmpty ? [] : try wrapping.keys(in: present.joined(separator: "\n")).map(\.key.id))
            var added: [String] = []
            for id in ids.subtracting(known) {
                var own: [String] = []
                for line in lines where try wrapping.keys(in: line).contains(where: { $0.key.id == id }) {
                    own.append(line)
                }
                guard !own.isEmpty else { throw MasterKeyError("\(other) does not hold the key \(id.text)") }
                added.append(try wrapping.lineOfFormer(own))
            }
            return added.isEmpty ? nil : present + added
        }
    }
}
