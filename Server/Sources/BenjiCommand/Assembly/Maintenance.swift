internal import Authority
internal import Logging
internal import ServiceLifecycle

/// Forgets what has expired, once a minute.
struct Maintenance: Service {
    let authority: Authority
    let face: FaceProvider?
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                face?.forgetExpired()
                do {
                    try await authority.deleteExpired()
                } catch {
                    logger.warning("expired rows were not deleted", metadata: ["reason": "\(error)"])
                }
                do { try await Task.sleep(for: .seconds(60)) } catch { return }
            }
        }
    }
}
