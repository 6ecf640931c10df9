import Authority
import Logging
import ServiceLifecycle

/// Forgets what has expired, and writes which keys were used, once a minute.
struct Maintenance: Service {
    let authority: Authority
    let face: FaceLogin?
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
                await writeKeyUsages()
                do { try await Task.sleep(for: .seconds(60)) } catch { return }
            }
        }
        await writeKeyUsages()
    }

    private func writeKeyUsages() async {
        do { try await authority.apps.writeUsages() } catch {
            logger.warning("the days of keys' last use were not written", metadata: ["reason": "\(error)"])
        }
    }
}
