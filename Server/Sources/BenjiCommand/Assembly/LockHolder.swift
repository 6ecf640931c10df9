import Foundation

/// The process that has locked a file.
struct LockHolder {
    /// Its id; `nil` if the system does not tell, for example because it runs in another container.
    let process: Int32?

    /// How often the list is read for a lock that is not in it. While it is read, other processes' locks come and go, and
    /// the kernel goes on in it by number: a line is missed then, on a busy machine in one of some hundred readings.
    static let readings = 10

    /// - Parameter list: the system's list of locks; `nil` where there is none.
    init(holding path: String, list: () -> String? = systemList) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let inode = attributes[.systemFileNumber] as? NSNumber, let device = attributes[.systemNumber] as? NSNumber
        else {
            process = nil
            return
        }
        for _ in 0..<Self.readings {
            guard let locks = list() else { break }
            if let holder = Self.holder(ofInode: inode.uint64Value, device: device.uint64Value, in: locks) {
                process = holder
                return
            }
        }
        process = nil
    }

    private static func systemList() -> String? {
        // FileManager's contents of such a file end after 4 KiB, some eighty locks.
        (try? FileHandle(forReadingAtPath: "/proc/locks")?.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads the system's list of locks (proc_locks(5)).
    static func holder(ofInode inode: UInt64, device: UInt64, in locks: String) -> Int32? {
        // gnu_dev_major and gnu_dev_minor, which are macros.
        let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
        let minor = device & 0xff | device >> 12 & ~0xff
        for line in locks.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 8, words[1] == "FLOCK", let process = Int32(words[4]), process > 0 else { continue }
            let place = words[5].split(separator: ":")
            guard place.count == 3, UInt64(place[0], radix: 16) == major, UInt64(place[1], radix: 16) == minor,
                UInt64(place[2]) == inode
            else { continue }
            return process
        }
        return nil
    }

    func problem(_ configuration: ServerConfiguration) -> String {
        let which = process.map { "process \($0)" } ?? "another process"
        return
            "another benji serve is running on \(configuration.absoluteDataDirectory) (\(which)); stop it first, or name "
            + "another folder with --data"
    }
}
