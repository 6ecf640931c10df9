import Foundation

extension ProcessConfiguration {
    /// The data directory as a path that means the same everywhere.
    package var absoluteDataDirectory: String { URL(fileURLWithPath: dataDirectory).standardizedFileURL.path }
    package var journalPath: String { "\(dataDirectory)/\(Self.journal)" }

    /// Fails if a file has the data directory's place.
    package func refuseFileAsDataDirectory() throws(CommandFailure) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: dataDirectory, isDirectory: &isFolder), !isFolder.boolValue else {
            return
        }
        throw CommandFailure(
            "\(absoluteDataDirectory) (from \(dataOrigin)) is a file and not a folder; name the data directory with "
                + "--data or in the setting data")
    }

    /// Whether the data directory holds a file of this name.
    /// - Throws: ``CommandFailure`` if it cannot be looked into.
    package func hasFile(_ name: String) throws(CommandFailure) -> Bool {
        guard access("\(dataDirectory)/\(name)", F_OK) != 0 else { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw unreadable(errno)
    }

    /// Why the data directory, or a file in it, cannot be used.
    package func unreadable(_ code: Int32, file: String? = nil) -> CommandFailure {
        let place = absoluteDataDirectory + (file.map { "/\($0)" } ?? "")
        let attributes = try? FileManager.default.attributesOfItem(atPath: place)
        return CommandFailure(
            Self.problem(place, code, user: NSUserName(), owner: attributes?[.ownerAccountName] as? String))
    }

    /// Why a place cannot be looked into, and what to do.
    package static func problem(_ place: String, _ code: Int32, user: String, owner: String?) -> String {
        guard code == EACCES || code == EPERM else {
            return "\(place) cannot be looked into: \(String(cString: strerror(code)).lowercased())"
        }
        return "\(place) may not be read and written by this user (\(user)); run this as \(owner ?? "its owner")"
    }

    /// Makes the data directory, for its owner alone, if it is not there yet.
    package func makeDataDirectory() throws(ConfigurationError) {
        do {
            try FileManager.default.createDirectory(
                atPath: dataDirectory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ConfigurationError(
                key: "data", problem: "\(dataDirectory) cannot be made: \(CommandFile.makingProblem(dataDirectory))")
        }
    }
}
