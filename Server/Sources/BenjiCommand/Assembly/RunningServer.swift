import Foundation

/// The process that has locked a file.
struct RunningServer {
    /// Its id; `nil` if the system does not tell, for example because it runs in another container.
    let process: Int32?

    init(holding path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let inode = attributes[.systemFileNumber] as? NSNumber, let device = attributes[.systemNumber] as? NSNumber,
            let locks = FileManager.default.contents(atPath: "/proc/locks")
        else {
            process = nil
            return
        }
        process = Self.holder(
            ofInode: inode.uint64Value, device: device.uint64Value, in: String(decoding: locks, as: UTF8.self))
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
