import Authority
import Logging
import ServiceLifecycle
import Store

/// Writes how logins went every five seconds, for charts.
struct LoginCounting: Service {
    let authority: Authority
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await Task.sleep(for: .seconds(5)) } catch { return }
                await write()
            }
        }
        await write()
    }

    private func write() async {
        do { try await authority.writeLoginCounts() } catch {
            logger.warning("counts of logins wait to be written", metadata: ["reason": "\(error)"])
        }
    }
}
