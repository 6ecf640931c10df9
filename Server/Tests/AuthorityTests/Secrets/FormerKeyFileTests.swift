import BenjiProtocol
import Foundation
import Testing

@testable import Authority

@Suite("Keys that were taken out, each in a file of its own")
struct FormerKeyFileTests {
    private let folder = NSTemporaryDirectory() + "former-\(UUID().uuidString)"
    private let random = SystemRandomSource()
    private var path: String { folder + "/master.key" }

    private func file(_ current: (any WrappingKey)? = nil, former: (any WrappingKey)? = nil) -> MasterKeyFile {
        MasterKeyFile(path: path, wrapping: WrappingKeys(current: current, former: former))
    }

    private func withFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func write(_ text: String, to path: String, mode: Int = 0o600) {
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
    }

    /// The present key, and one that may be taken out.
    private func two(_ file: MasterKeyFile) throws -> (out: MasterKey, stays: MasterKey) {
        (try file.load(random: random)[0], try file.add(random: random))
    }

    @Test("a key that is taken out lies in a file for its owner alone, as it was, and is named by its id")
    func kept() throws {
        try withFolder {
            let (out, stays) = try two(file())
            let line = try text(path).split(separator: "\n")[0]
            #expect(try file().remove([out], discarding: false))
            let place = "\(folder)/master.key.former-\(out.id.text)"
            #expect(try text(place) == line + "\n" && file().keys().map(\.check) == [stays.check])
            let mode = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(file().formerKeyFiles() == [FormerKeyFile(id: out.id, path: place, isWrapped: false)])
            // Files with other names are not taken for former keys.
            write("", to: path + ".former-notes")
            write("", to: "\(folder)/master-key-former-\(out.id.text)")
            write("", to: place + ".new")
            #expect(file().formerKeyFiles().map(\.id) == [out.id])
        }
    }

    @Test("a key that was kept before is kept once, and one that is put back goes again")
    func again() throws {
        try withFolder {
            let (out, stays) = try two(file())
            let both = try text(path)
            #expect(try file().remove([out], discarding: false))
            let kept = try text(file().formerPath(out.id))
            for _ in 0..<2 {
                write(both, to: path)
                #expect(try file().remove([out], discarding: false))
                #expect(try text(file().formerPath(out.id)) == kept && file().keys().map(\.check) == [stays.check])
            }
        }
    }

    @Test("a key that is discarded is in no file any more, also if a run that was killed had kept it")
    func discarded() throws {
        try withFolder {
            let (out, stays) = try two(file())
            let line = try text(path).split(separator: "\n")[0]
            write(line + "\n", to: file().formerPath(out.id))
            write(String(line), to: file().formerPath(out.id) + ".new")
            #expect(try file().remove([out], discarding: true))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["master.key"])
            #expect(try file().keys().map(\.check) == [stays.check])
        }
    }

    @Test(
        """
        beside a file of its name that does not hold it, or that others may read, a key stays where it is, and the \
        error says what to do
        """,
        arguments: [
            ("benji-master-key-1:" + String(repeating: "A", count: 43), 0o600, "move it away"),
            ("", 0o600, "holds no key"), (nil, 0o644, "chmod 600"),
        ] as [(String?, Int, String)])
    func occupied(content: String?, mode: Int, words: String) throws {
        try withFolder {
            let (out, _) = try two(file())
            let before = try text(path)
            let place = file().formerPath(out.id)
            let content = content ?? String(before.split(separator: "\n")[0])
            write(content, to: place, mode: mode)
            let error = #expect(throws: MasterKeyError.self) { try file().remove([out], discarding: false) }
            #expect(error?.problem.contains(words) == true && error?.problem.contains(place) == true)
            #expect(try text(path) == before && text(place) == content)
        }
    }

    @Test("the last key is not taken out, and nothing is left of an attempt")
    func last() throws {
        try withFolder {
            let only = try file().load(random: random)
            #expect(try file().remove(only, discarding: false))
            #expect(try file().keys().map(\.check) == only.map(\.check) && file().formerKeyFiles().isEmpty)
        }
    }

    @Test(
        "where a new key is wrapped, a former one is kept wrapped by the same key, in whichever way it lay there before"
    )
    func wrapped() throws {
        try withFolder {
            let (first, second) = (PuppetWrappingKey("pkcs11:token=first"), PuppetWrappingKey("pkcs11:token=second"))
            let clear = try file().load(random: random)[0]
            let moved = try file(first).add(random: random)
            #expect(try file(first).remove([clear], discarding: false))
            let last = try file(second, former: first).add(random: random)
            #expect(try file(second, former: first).remove([moved], discarding: false))
            #expect(try file(second).keys().map(\.check) == [last.check])
            let files = file().formerKeyFiles()
            #expect(Set(files.map(\.id)) == [clear.id, moved.id] && files.allSatisfy(\.isWrapped))
            for (key, hsm) in [(clear, first), (moved, second)] {
                let place = file().formerPath(key.id)
                #expect(try !text(place).contains(MasterKey.prefix))
                let read = MasterKeyFile(path: place, wrapping: WrappingKeys(current: hsm))
                #expect(try read.keys().map(\.check) == [key.check])
            }
        }
    }

    @Test("a wrapped key is not brought into clear when it is taken out, where new ones are in clear")
    func backInClear() throws {
        try withFolder {
            let hsm = PuppetWrappingKey()
            let wrapped = try file(hsm).load(random: random)[0]
            let line = try text(path)
            _ = try file(nil, former: hsm).add(random: random)
            #expect(try file(nil, former: hsm).remove([wrapped], discarding: false))
            #expect(try text(file().formerPath(wrapped.id)) == line)
        }
    }

    @Test("a key that lies in clear and wrapped is kept wrapped when it is taken out, where new ones are in clear")
    func bothWays() throws {
        try withFolder {
            let hsm = PuppetWrappingKey()
            let stays = try file().load(random: random)
            let both = MasterKey.make(random: random)
            let bytes = try hsm.wrap(both.bytes)
            let wrapped = WrappingKeys.prefix + Base64URL.encode(bytes)
            let before = try text(path)
            write(before + MasterKey.text(of: both.bytes) + "\n" + wrapped + "\n", to: path)
            #expect(try file(nil, former: hsm).remove([both.key], discarding: false))
            #expect(try text(file().formerPath(both.key.id)) == wrapped + "\n")
            #expect(try file().keys().map(\.check) == stays.map(\.check))
        }
    }

    @Test("without its HSM a key in clear is not taken out, rather than kept in clear")
    func withoutHSM() throws {
        try withFolder {
            let clear = try file().load(random: random)[0]
            let hsm = PuppetWrappingKey()
            let wrapping = file(hsm)
            _ = try wrapping.add(random: random)
            hsm.takeAway()
            let before = try text(path)
            #expect(throws: MasterKeyError.self) { try wrapping.remove([clear], discarding: false) }
            #expect(try text(path) == before && file().formerKeyFiles().isEmpty)
        }
    }

    @Test("keys of a former file are put back beside the present one, once, and wrapped where that is wrapped")
    func putBack() throws {
        try withFolder {
            let (out, stays) = try two(file())
            #expect(try file().remove([out], discarding: false))
            let place = file().formerPath(out.id)
            let hsm = PuppetWrappingKey()
            for _ in 0..<2 {
                try file(hsm).add([out.id], from: place)
                #expect(try file(hsm).kept().map(\.key.check) == [stays.check, out.check])
                #expect(try file(hsm).kept().map(\.wrappedBy) == [nil, hsm.name])
            }
            let other = MasterKey(bytes: Array(0..<32)).id
            let error = #expect(throws: MasterKeyError.self) { try file(hsm).add([other], from: place) }
            #expect(error?.problem == "\(place) does not hold the key \(other.text)")
        }
    }
}
