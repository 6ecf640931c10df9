import Authority
import Logging
import ServiceLifecycle
import Store

/// Brings releases and consents into the public log once a second (decision 58). Every node of an authority runs one;
/// what one has brought, no other brings again.
struct LogAppending: Service {
    let authority: Authority
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isTroubled = false
            while !Task.isCancelled {
                do throws(StoreError) {
                    while try await authority.appendToLog(), !Task.isCancelled {}
                    if isTroubled { logger.notice("the public log goes on") }
                    isTroubled = false
                } catch {
                    // The next start does the work that the stop interrupted.
                    if Task.isCancelled { return }
                    if !isTroubled {
                        logger.error(
                            "nothing comes into the public log until this is repaired; what waits for it is kept",
                            metadata: ["reason": "\(error)"])
                    }
                    isTroubled = true
                }
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
            }
        }
    }
}
