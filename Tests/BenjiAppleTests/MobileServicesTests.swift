#if canImport(CoreTelephony)
import CoreTelephony
import Testing

@testable import OneTapShell

@Suite("What CoreTelephony still tells", .serialized)
struct MobileServicesTests {
    private let phone = StandInTelephony.shared

    @Test(
        "Each technology is counted to its generation, and one that is not known to none",
        arguments: [
            (CTRadioAccessTechnologyGPRS, "2G"), (CTRadioAccessTechnologyEdge, "2G"),
            (CTRadioAccessTechnologyCDMA1x, "2G"), (CTRadioAccessTechnologyWCDMA, "3G"),
            (CTRadioAccessTechnologyHSDPA, "3G"), (CTRadioAccessTechnologyHSUPA, "3G"),
            (CTRadioAccessTechnologyCDMAEVDORev0, "3G"), (CTRadioAccessTechnologyCDMAEVDORevA, "3G"),
            (CTRadioAccessTechnologyCDMAEVDORevB, "3G"), (CTRadioAccessTechnologyeHRPD, "3G"),
            (CTRadioAccessTechnologyLTE, "4G"), (CTRadioAccessTechnologyNRNSA, "5G"), (CTRadioAccessTechnologyNR, "5G"),
            ("CTRadioAccessTechnologyOfTomorrow", nil),
        ] as [(String, String?)])
    func generations(technology: String, expected: String?) {
        phone.serve(["0000000100000001": technology], data: "0000000100000001")
        defer { phone.serve(nil) }
        #expect(MobileServices.apple == MobileServices(count: 1, generation: expected.flatMap { .init(rawValue: $0) }))
    }

    @Test("Of two SIMs the one that carries data says the generation; if the system names none, nobody guesses")
    func twoSIMs() {
        defer { phone.serve(nil) }
        let both = ["1": CTRadioAccessTechnologyLTE, "2": CTRadioAccessTechnologyNR]
        phone.serve(both, data: "2")
        #expect(MobileServices.apple == MobileServices(count: 2, generation: .fifth))
        phone.serve(both)
        #expect(MobileServices.apple == MobileServices(count: 2, generation: nil))
    }

    @Test("A device without a modem has none, and one without a signal has no SIM in service")
    func none() {
        phone.serve(nil)
        #expect(MobileServices.apple == nil)
        phone.serve([:])
        defer { phone.serve(nil) }
        #expect(MobileServices.apple == MobileServices(count: 0, generation: nil))
        #expect(Surroundings.apple.mobileServices() == MobileServices(count: 0, generation: nil))
    }
}
#endif
