import Administration
import Authority
import Logging
import Requests
import ServiceLifecycle
import Store

/// Runs once a minute. Removes expired data and ended sessions of the console. Records the use of keys and the number
/// of refused orders without a line. Learns of new master and receipt keys.
struct Maintenance: Service {
    let administration: Administration
    let authority: Authority
    let face: FaceParts?
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                face?.forgetExpired()
                do throws(StoreError) { try await authority.vault.follow() } catch {
                    // A key that is not at hand the vault has told of.
                    if error.code != .keyNotAtHand {
                        logger.error("new master keys were not looked for", metadata: ["reason": "\(error)"])
                    }
                }
                do {
                    try await authority.deleteExpired()
                } catch {
                    logger.warning("expired rows were not deleted", metadata: ["reason": "\(error)"])
                }
                await writeKeyUsages()
                await administration.writeLeftOutRefusals()
                do throws(Refusal) { try await administration.deleteEndedSessions() } catch {
                    logger.warning("ended sessions of the console were not deleted", metadata: ["reason": "\(error)"])
                }
                do { try await Task.sleep(for: .seconds(60)) } catch { return }
            }
        }
        await writeKeyUsages()
        await administration.writeLeftOutRefusals(isEnd: true)
    }

    private func writeKeyUsages() async {
        do { try await authority.apps.writeUsages() } catch {
            logger.warning("the days of keys' last use were not written", metadata: ["reason": "\(error)"])
        }
    }
}
