import Logging
import ServiceLifecycle
import Store

/// Reads all rows that give rights, and compares the audit log with its mark, at the start and once an hour (decision
/// 63). What it finds is in the log and among the warnings of `/health/ready`. Every node of an authority runs one.
struct RowExamination: Service {
    let store: any Store
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do throws(StoreError) {
                    _ = try await store.examineRows()
                    if let problem = store.rowCodes.auditProblem { logger.error("\(problem)") }
                } catch {
                    if Task.isCancelled { return }
                    logger.warning(
                        "the rows that give rights were not examined; it is tried again in an hour",
                        metadata: ["reason": "\(error)"])
                }
                do { try await Task.sleep(for: .seconds(3600)) } catch { return }
            }
        }
    }
}
