@_spi(Server) import BenjiProtocol
import FaceAccounts
import Requests
import ServerTestKit

/// For tests that do not ask who ordered it.
extension FaceAccounts {
    func setFrozen(_ frozen: Bool, _ number: PhoneNumber) async throws(Refusal) -> Bool {
        try await setFrozen(frozen, number, by: .test)
    }

    func erase(_ number: PhoneNumber) async throws(Refusal) -> Bool { try await erase(number, by: .test) }
}
