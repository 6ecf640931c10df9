import BenjiClient
import BenjiProtocol
import Foundation
import OneTapShell

/// Receives the SDK's internal steps.
#if canImport(ObjectiveC)
@objc(TYRZLoginDelegate)
#endif
@MainActor
public protocol TYRZLoginDelegate: AnyObject {
    /// - Parameter message: `message` holds an `NSString`, or an `NSError` when a call failed. No number and no
    ///   credential is in it.
    #if canImport(ObjectiveC)
    @objc(TYRZDeBugWithMessage:)
    #endif
    func tyrzDeBug(withMessage message: [AnyHashable: Any])
}

extension TYRZLogin {
    /// Held weakly, and told on the main thread.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static var debugDelegate: (any TYRZLoginDelegate)? {
        get { shell.delegate as? any TYRZLoginDelegate }
        set {
            let shell = shell
            shell.delegate = newValue
            guard newValue != nil else { return shell.observe(with: nil) }
            shell.observe { [weak shell] observation in
                Task { @MainActor in
                    guard let delegate = shell?.delegate as? any TYRZLoginDelegate else { return }
                    delegate.tyrzDeBug(withMessage: ["message": message(observation)])
                }
            }
        }
    }

    private static func message(_ observation: OneTapShell.Observation) -> Any {
        switch observation {
        case .step(let event):
            return [event.step.rawValue, event.situation?.rawValue, event.trace.map { "(\($0))" }]
                .compactMap { $0 }.joined(separator: " ")
        case .ended(let call, nil): return "\(call): success"
        case .ended(let call, let error?):
            let code = TYRZLoginResults.code(error.situation)
            return NSError(
                domain: "TYRZLogin", code: Int(code) ?? 0,
                userInfo: [NSLocalizedDescriptionKey: "\(call): \(code), \(error)"])
        }
    }
}
