import Administration
import Authority
import Logging
import ServiceLifecycle

/// Forgets what has expired, writes which keys were used and how many refused orders had no line, and hears of new master and receipt
/// keys, once a minute.
struct Maintenance: Service {
    let administration: Administration
    let authority: Authority
    let face: FaceParts?
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                face?.forgetExpired()
                do { try await authority.vault.follow() } catch {
                    logger.error(
                        "the present master key is not at hand",
                        metadata: [
                            "reason": "\(error)",
                            "advice":
                                "put it where the keys are kept, or restart this server if its settings have changed; see benji keys show",
                        ])
                }
                do {
                    try await authority.deleteExpired()
                } catch {
                    logger.warning("expired rows were not deleted", metadata: ["reason": "\(error)"])
                }
                await writeKeyUsages()
                await administration.writeLeftOutRefusals()
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
