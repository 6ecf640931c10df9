import Authority
@_spi(Server) import BenjiProtocol
import Store

/// What an order works with while it is carried out.
package struct OrderContext: Sendable {
    let authority: Authority
    let store: any AdministrationStore
    let caller: Caller
    /// For whatever is changed: the change takes it and writes the order's line.
    let note: OrderNote

    var apps: Apps { authority.apps }
    var now: Timestamp { authority.clock.now }

    /// That there is an app with this id, or was one: its books stay.
    func checkExists(_ app: AppID) async throws(Refusal) {
        do throws(StoreError) {
            guard try await store.app(app) == nil else { return }
        } catch { throw Refusal(error) }
        throw Refusal(.appUnknown, "no app has this id")
    }

    /// The row of the register that a number has now.
    func subscription(of number: PhoneNumber) async throws(Refusal) -> SubscriptionRecord? {
        do throws(StoreError) {
            return try await store.subscription(numberIndex: authority.vault.index(of: number))
        } catch { throw Refusal(error) }
    }

    /// Writes the line of an order that changes nothing and is written down all the same: it looks at what concerns a
    /// person. To be called before the answer is read.
    func noteLook(app: AppID? = nil, subject: String? = nil) async throws(Refusal) {
        do { try await store.appendAudit(note.entry(at: now, app: app, subject: subject)) } catch {
            throw Refusal(error)
        }
    }
}
