#if canImport(CoreTelephony) && !os(macOS)
import CoreTelephony
import Foundation

extension MobileServices {
    /// As CoreTelephony says now; `nil` on a device that has no modem.
    package static var apple: MobileServices? {
        let info = CTTelephonyNetworkInfo()
        guard let technologies = info.serviceCurrentRadioAccessTechnology else { return nil }
        // With one SIM in service, that is the one which carries data, whatever the system names.
        let named = info.dataServiceIdentifier.flatMap { technologies[$0] }
        let data = named ?? (technologies.count == 1 ? technologies.first?.value : nil)
        return MobileServices(count: technologies.count, generation: data.flatMap(Generation.init(technology:)))
    }
}

extension MobileServices.Generation {
    /// 3GPP's technologies by the generation that counts them its own; NRNSA is 5G beside an anchor of 4G.
    init?(technology: String) {
        switch technology {
        case CTRadioAccessTechnologyGPRS, CTRadioAccessTechnologyEdge, CTRadioAccessTechnologyCDMA1x: self = .second
        case CTRadioAccessTechnologyWCDMA, CTRadioAccessTechnologyHSDPA, CTRadioAccessTechnologyHSUPA,
            CTRadioAccessTechnologyCDMAEVDORev0, CTRadioAccessTechnologyCDMAEVDORevA,
            CTRadioAccessTechnologyCDMAEVDORevB, CTRadioAccessTechnologyeHRPD:
            self = .third
        case CTRadioAccessTechnologyLTE: self = .fourth
        case CTRadioAccessTechnologyNRNSA, CTRadioAccessTechnologyNR: self = .fifth
        default: return nil
        }
    }
}
#endif
