// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names are Apple's.
@_exported import Foundation

open class CTTelephonyNetworkInfo: NSObject {
    public override init() { super.init() }

    open var dataServiceIdentifier: String? { StandInTelephony.shared.dataService }
    open var serviceCurrentRadioAccessTechnology: [String: String]? { StandInTelephony.shared.technologies }
}

public let CTRadioAccessTechnologyGPRS = "CTRadioAccessTechnologyGPRS"
public let CTRadioAccessTechnologyEdge = "CTRadioAccessTechnologyEdge"
public let CTRadioAccessTechnologyWCDMA = "CTRadioAccessTechnologyWCDMA"
public let CTRadioAccessTechnologyHSDPA = "CTRadioAccessTechnologyHSDPA"
public let CTRadioAccessTechnologyHSUPA = "CTRadioAccessTechnologyHSUPA"
public let CTRadioAccessTechnologyCDMA1x = "CTRadioAccessTechnologyCDMA1x"
public let CTRadioAccessTechnologyCDMAEVDORev0 = "CTRadioAccessTechnologyCDMAEVDORev0"
public let CTRadioAccessTechnologyCDMAEVDORevA = "CTRadioAccessTechnologyCDMAEVDORevA"
public let CTRadioAccessTechnologyCDMAEVDORevB = "CTRadioAccessTechnologyCDMAEVDORevB"
public let CTRadioAccessTechnologyeHRPD = "CTRadioAccessTechnologyeHRPD"
public let CTRadioAccessTechnologyLTE = "CTRadioAccessTechnologyLTE"
public let CTRadioAccessTechnologyNRNSA = "CTRadioAccessTechnologyNRNSA"
public let CTRadioAccessTechnologyNR = "CTRadioAccessTechnologyNR"

/// Test hook: the SIMs that are in service, by their service, and which of them carries data.
///
/// `@unchecked Sendable`: everything is read and written while the lock is held.
public final class StandInTelephony: @unchecked Sendable {
    public static let shared = StandInTelephony()

    private let lock = NSLock()
    private var services: (technologies: [String: String]?, data: String?) = (nil, nil)

    var technologies: [String: String]? { lock.withLock { services.technologies } }
    var dataService: String? { lock.withLock { services.data } }

    /// `nil` is a device without a modem.
    public func serve(_ technologies: [String: String]?, data: String? = nil) {
        lock.withLock { services = (technologies, data) }
    }
}
