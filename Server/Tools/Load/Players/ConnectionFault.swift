import Foundation
import NIOCore

/// The reason why no answer came. The error itself may name addresses and stays out of reports.
enum ConnectionFault: String, Error, Hashable {
    case refused = "connection refused"
    case lost = "connection lost"
    case timedOut = "timed out"
    case unreadable = "answer unreadable"
    /// No phone was idle when the login was due.
    case noPhone = "all phones busy"
    /// This machine has no descriptor, port or memory left: the run does not measure the server.
    case exhausted = "generator exhausted"

    init(_ error: any Error) {
        switch error {
        case let fault as ConnectionFault: self = fault
        case ChannelError.connectTimeout: self = .timedOut
        case let error as IOError:
            switch error.errnoCode {
            case ECONNREFUSED: self = .refused
            case EMFILE, ENFILE, EADDRNOTAVAIL, EADDRINUSE, ENOBUFS, ENOMEM: self = .exhausted
            case ETIMEDOUT: self = .timedOut
            default: self = .lost
            }
        default: self = .lost
        }
    }
}
