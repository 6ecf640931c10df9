package import BenjiClient
package import BenjiProtocol

/// The numbers by which some vendors name carriers and networks.
package enum VendorNumber {
    /// 0 unknown, 1 mobile, 2 unicom, 3 telecom.
    package static func carrier(_ carrier: Carrier?) -> Int {
        switch carrier {
        case .mobile: 1
        case .unicom: 2
        case .telecom: 3
        default: 0
        }
    }

    /// 0 none, 1 mobile data, 2 Wi-Fi, 3 both.
    package static func networks(_ status: NetworkStatus?) -> Int {
        (status?.cellular == true ? 1 : 0) + (status?.wifi == true ? 2 : 0)
    }
}
