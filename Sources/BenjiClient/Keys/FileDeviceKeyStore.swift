public import BenjiProtocol
import Crypto

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A device key in a file that only its owner can read: for devices that run Linux.
///
/// The file holds the key as PEM (PKCS#8), so `openssl pkey -in FILE -noout -text` shows it. It is written whole under
/// another name, made durable, and then linked to its own name. The link fails if another process was first, so two
/// processes that start together end up with one key.
public struct FileDeviceKeyStore: DeviceKeyStore {
    /// Where the file is.
    public let path: String
    private let random: any RandomSource

    /// - Parameter path: of the file; its folder must exist, and only its owner should be able to write there.
    public init(path: String) { self.init(path: path, random: SystemRandomSource()) }

    init(path: String, random: any RandomSource) {
        self.path = path
        self.random = random
    }

    /// Makes the file at its first use.
    public func signer() async throws(DeviceKeyError) -> any DeviceSigner {
        if let key = try read() { return SoftwareDeviceSigner(key: key) }
        try create(P256.Signing.PrivateKey())
        // Something else may have made the file first: the key in the file counts.
        guard let key = try read() else { throw error(.inaccessible, "the file vanished while it was made") }
        return SoftwareDeviceSigner(key: key)
    }

    public func removeKey() async throws(DeviceKeyError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw systemError("cannot be removed") }
        try makeFolderDurable()
    }

    // MARK: reading

    private func read() throws(DeviceKeyError) -> P256.Signing.PrivateKey? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw error(.exposed, "is a symbolic link; give the file's own path") }
            throw systemError("cannot be opened")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw systemError("cannot be examined") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw error(.damaged, "is not a regular file") }
        guard status.st_uid == geteuid() else { throw error(.exposed, "belongs to another user") }
        guard status.st_mode & 0o077 == 0 else {
            throw error(
                .exposed,
                "others may read or write it (mode \(String(status.st_mode & 0o777, radix: 8))): "
                    + "remove it and let a new key be made, because this one may have been copied")
        }
        guard (1...Self.maximumSize).contains(Int(status.st_size)) else {
            throw error(.damaged, "does not hold a key")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.maximumSize)
        while bytes.count <= Self.maximumSize {
            let count = systemRead(file, &buffer)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw systemError("cannot be read") }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: String(decoding: bytes, as: UTF8.self)) else {
            throw error(.damaged, "does not hold a P-256 key as PEM")
        }
        return key
    }

    private static let maximumSize = 4096

    private func systemRead(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { bytes in
            #if canImport(Glibc)
            Glibc.read(file, bytes.baseAddress, bytes.count)
            #elseif canImport(Musl)
            Musl.read(file, bytes.baseAddress, bytes.count)
            #elseif canImport(Darwin)
            Darwin.read(file, bytes.baseAddress, bytes.count)
            #endif
        }
    }

    // MARK: writing

    private func create(_ key: P256.Signing.PrivateKey) throws(DeviceKeyError) {
        let temporary = "\(path).\(random.alphanumerics(16)).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw systemError("no file can be made beside it") }
        defer { unlink(temporary) }
        do {
            defer { close(file) }
            // A umask can only take bits away; this puts the owner's back.
            guard fchmod(file, 0o600) == 0 else { throw systemError("its mode cannot be set") }
            var bytes = Array((key.pemRepresentation + "\n").utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw systemError("cannot be written") }
                bytes = bytes.dropFirst(count)
            }
            guard fsync(file) == 0 else { throw systemError("cannot be made durable") }
        }
        // EEXIST: another process was first, and its key counts.
        guard link(temporary, path) == 0 || errno == EEXIST else { throw systemError("cannot be given its name") }
        try makeFolderDurable()
    }

    private func makeFolderDurable() throws(DeviceKeyError) {
        let end = path.utf8.lastIndex(of: 0x2f)
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw systemError("its folder cannot be opened") }
        defer { close(file) }
        guard fsync(file) == 0 else { throw systemError("its folder cannot be made durable") }
    }

    // MARK: errors

    private func error(_ code: DeviceKeyError.Code, _ detail: String) -> DeviceKeyError {
        DeviceKeyError(code, at: path, detail)
    }

    /// Reads `errno`, so it comes right after the call that failed.
    private func systemError(_ detail: String) -> DeviceKeyError {
        let reason = String(cString: strerror(errno))
        return DeviceKeyError(.inaccessible, at: path, "\(detail): \(reason)")
    }
}
