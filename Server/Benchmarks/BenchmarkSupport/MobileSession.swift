package import BenjiProtocol
package import RADIUS

/// A mobile session, as a packet gateway names it in every packet of its life.
package struct MobileSession {
    /// The Charging-ID, in hexadecimal digits.
    package var chargingID: Int
    package var address: InternetAddress?
    /// The subscriber's number without its country code, and their card.
    package var number: String
    package var imsi: String

    package init(chargingID: Int, address: InternetAddress?, number: String, imsi: String) {
        self.chargingID = chargingID
        self.address = address
        self.number = number
        self.imsi = imsi
    }

    // TS 29.061 §16.4.7: the gateway node's address and the Charging-ID, in hexadecimal.
    package var sessionID: String { "CB007107\(chargingID)" }

    /// - Parameter time: in seconds since 1970.
    package func request(_ status: AccountingStatus, at time: Int64) -> AccountingRequest {
        var request = AccountingRequest(status: status, sessionID: sessionID)
        request.nasIdentifier = Array("pgw-1.example".utf8)
        request.framedAddress = address
        request.callingStation = "86" + number
        request.calledStation = "cmnet"
        request.imsi = imsi
        request.homeNetwork = "46000"
        request.servingNetwork = "46000"
        request.radioAccess = 6
        request.isMobile = true
        request.endsSession = status == .stop
        request.eventTimestamp = UInt32(clamping: time)
        return request
    }
}
