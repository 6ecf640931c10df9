import Foundation
package import Logging
package import ServerHTTP

/// The number of files and sockets that this process may have open. If connections used all of them, the database and
/// the journal would get none. So some are reserved, and connections get the others.
package enum DescriptorLimit {
    /// For the database with its readers, the journal and its compaction, the link, logs and sockets that listen.
    package static let reserved = 256

    /// Lets the process have as many as the system allows it, and returns how many that are.
    @discardableResult
    package static func raise() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            let before = limit.rlim_cur
            limit.rlim_cur = limit.rlim_max
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The most connections that each of so many listeners may have under a limit of descriptors.
    package static func connections(wanted: Int, listeners: Int, descriptors: Int) -> Int {
        min(wanted, max((descriptors - reserved) / max(listeners, 1), 16))
    }

    /// `limits` with no more connections than there are descriptors for. Says so if that are fewer than were asked for.
    package static func fitted(_ limits: ServerLimits, listeners: Int, logger: Logger) -> ServerLimits {
        var limits = limits
        let descriptors = raise()
        let connections = connections(wanted: limits.connections, listeners: listeners, descriptors: descriptors)
        if connections < limits.connections {
            logger.notice(
                "fewer connections than limits.connections: the process may not have more descriptors",
                metadata: ["connections": "\(connections)", "descriptors": "\(descriptors)"])
        }
        limits.connections = connections
        return limits
    }
}
