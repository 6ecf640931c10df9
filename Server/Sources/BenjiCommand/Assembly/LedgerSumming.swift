import Authority
import Logging
import ServiceLifecycle
import Store

/// Adds billed answers to the sums that statements read, every five seconds (decision 61). Every node of an authority
/// runs one; no node adds an answer that another has added.
struct LedgerSumming: Service {
    let authority: Authority
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isTroubled = false
            while !Task.isCancelled {
                do throws(StoreError) {
                    while try await authority.sumLedger(), !Task.isCancelled {}
                    if isTroubled { logger.notice("lines of the ledger are summed again") }
                    isTroubled = false
                } catch {
                    // The next start does the work that the stop interrupted.
                    if Task.isCancelled { return }
                    if !isTroubled {
                        logger.warning(
                            """
                            lines of the ledger are not summed until this is repaired; statements count them one by \
                            one
                            """,
                            metadata: ["reason": "\(error)"])
                    }
                    isTroubled = true
                }
                do { try await Task.sleep(for: .seconds(5)) } catch { return }
            }
        }
    }
}
