import Gateway
import Logging
import ServiceLifecycle
import Sightings

/// Notifies a gateway of erased rows of the register within seconds. Its sessions of these rows are unassigned until
/// accounting names their holder again.
struct ErasurePoller: Service {
    let register: any RegisterDesk
    let gateway: GatewayService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: Set<Int64> = []
            var isHeard = true
            while !Task.isCancelled {
                do {
                    let erased = Set(try await register.erasedSubscriptions())
                    let new = erased.subtracting(told)
                    if !new.isEmpty { gateway.forget(Array(new)) }
                    (told, isHeard) = (erased, true)
                } catch {
                    if isHeard, !Task.isCancelled {
                        logger.warning(
                            "sessions of erased subscribers are not looked for", metadata: ["reason": "\(error)"])
                    }
                    isHeard = false
                }
                do { try await Task.sleep(for: .seconds(10)) } catch { return }
            }
        }
    }
}
