@_spi(Server) package import BenjiProtocol
import RADIUS

/// The carrier's packet core from a gateway's view: gives phones addresses and announces them by RADIUS accounting.
package actor VirtualPacketCore {
    /// A phone's mobile-data session.
    package struct Session: Hashable, Sendable {
        package var id: String
        package var address: InternetAddress
        package var sim: VirtualSIM
    }

    /// The NAS-Identifier under which it speaks.
    package let name: String
    private let client: AccountingClient
    private let clock: any WallClock
    private var chargingID: UInt32 = 1

    package init(name: String, client: AccountingClient, clock: some WallClock = SystemWallClock()) {
        self.name = name
        self.client = client
        self.clock = clock
    }

    /// Starts a session and returns it with the accounting request and the gateway's answer.
    package func attach(
        _ sim: VirtualSIM, at address: InternetAddress
    ) async throws -> (Session, AccountingClient.Exchange) {
        // TS 29.061: the gateway node's address and the Charging-ID, in hexadecimal. The clock keeps it new over
        // restarts.
        let session = Session(
            id:
                "\(Hexadecimal.encode(address.bytes, uppercase: true))\(hexadecimal(chargingID))"
                + "\(clock.now.milliseconds)",
            address: address, sim: sim)
        chargingID += 1
        return (session, try await client.exchange(request(.start, session)))
    }

    /// Says that a session goes on.
    package func update(_ session: Session) async throws -> Duration {
        try await client.send(request(.interimUpdate, session))
    }

    /// Ends a session: its address is unassigned afterwards.
    @discardableResult
    package func detach(_ session: Session) async throws -> AccountingClient.Exchange {
        var request = request(.stop, session)
        request.endsSession = true
        return try await client.exchange(request)
    }

    private func request(_ status: AccountingStatus, _ session: Session) -> AccountingRequest {
        var request = AccountingRequest(status: status, sessionID: session.id)
        request.nasIdentifier = Array(name.utf8)
        if session.address.family == .v4 {
            request.framedAddress = session.address
        } else {
            request.framedPrefix = IPPrefix(address: session.address, length: 64)
        }
        request.callingStation = session.sim.number.e164
        request.calledStation = "cmnet"
        request.imsi = session.sim.imsi
        request.homeNetwork = String(session.sim.imsi.prefix(5))
        request.servingNetwork = String(session.sim.imsi.prefix(5))
        request.eventTimestamp = UInt32(clamping: clock.now.seconds)
        return request
    }

    private func hexadecimal(_ value: UInt32) -> String {
        Hexadecimal.encode((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }, uppercase: true)
    }
}
