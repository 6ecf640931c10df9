package import Gateway
package import Logging
import ServiceLifecycle
package import Sightings

/// Notifies a gateway of erased rows of the register within seconds. Its sessions of these rows are unassigned until
/// accounting names their holder again.
package struct ErasurePoller: Service {
    package let register: any RegisterService
    package let gateway: GatewayService
    package let logger: Logger

    package init(register: any RegisterService, gateway: GatewayService, logger: Logger) {
        (self.register, self.gateway, self.logger) = (register, gateway, logger)
    }

    package func run() async throws {
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
