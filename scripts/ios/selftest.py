"""Code that must be refused, with the words that the compiler must find for it, and code that must pass."""

import sys

import privacy
import sdk
from toolchain import Refused, Toolchain

REFUSED = {
    "an API newer than the oldest iOS (standard library)": (
        "is only available in iOS 17",
        "func f() async { await withDiscardingTaskGroup { _ in } }",
    ),
    "an API newer than the oldest iOS (framework)": (
        "is only available in iOS 17",
        "import UIKit\n@MainActor func f(_ view: UIView) { _ = view.traitOverrides }",
    ),
    "a data race": (
        "sending",
        "final class Box { var n = 0 }\n"
        "actor Counter { func count(_ box: Box) { box.n += 1 } }\n"
        "func f(_ counter: Counter) async { let box = Box(); async let n: () = counter.count(box); box.n += 1; await "
        "n }",
    ),
    "a view that is touched away from the main thread": (
        "main actor-isolated",
        "import UIKit\nfunc f(_ view: UIView) { view.removeFromSuperview() }",
    ),
    "an uninitialised property": (
        "without initializing all stored properties",
        "struct S { let n: Int; init() {} }",
    ),
    "a name that is also a framework's": (
        "'IPAddress' is ambiguous for type lookup",
        "import Network\nimport SelfTestNames\nfunc f(_ address: IPAddress) {}",
    ),
    "a name that a framework does not have": (
        "has no member 'requiredInterfaceName'",
        "import Network\nfunc f(_ p: NWParameters) { p.requiredInterfaceName = .cellular }",
    ),
}

# A module of ours beside the frameworks, with a name that one of them has too.
NAMES = "public struct IPAddress { public init() {} }\n"

PASSES = """
import Dispatch
public import Foundation
import Network
import UIKit

@available(iOS 17.0, *) @MainActor func newer(_ view: UIView) { _ = view.traitOverrides }

@MainActor final class Page: UIViewController {
    private let number = UILabel()
    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(number)
        if #available(iOS 17.0, *) { newer(view) }
    }
}

@objc public class Shell: NSObject {
    @objc public static func register(withAppID appID: String, completion: @escaping ([String: Any]) -> Void) {
        completion(["appID": appID as NSString])
    }
}

func path() -> NWParameters {
    let parameters = NWParameters.udp
    parameters.requiredInterfaceType = .cellular
    return parameters
}
"""


def self_test(toolchain: Toolchain, flags: list[str]) -> int:
    wrong = compiler_test(toolchain, flags)
    for what in privacy.self_test(toolchain.cache):
        print(f"error: the check of privacy manifests does not see {what}", file=sys.stderr)
        wrong += 1
    for what in sdk.self_test():
        print(f"error: {what}", file=sys.stderr)
        wrong += 1
    return 1 if wrong else 0


def compiler_test(toolchain: Toolchain, flags: list[str], knows_ios_17: bool = True) -> int:
    """How much is not refused, or for another reason. Without knows_ios_17 nothing of iOS 17 is asked for."""
    wrong = 0
    names = toolchain.cache / "SelfTestNames.swift"
    names.write_text(NAMES)
    toolchain.compile("SelfTestNames", [names], flags)
    for what, (words, source) in REFUSED.items():
        if not knows_ios_17 and "iOS 17" in words:
            continue
        try:
            toolchain.check(source, flags)
        except Refused as refusal:
            if words in str(refusal):
                continue
            print(f"error: {what} is refused for another reason than '{words}':\n{refusal}", file=sys.stderr)
        else:
            print(f"error: the check for iOS does not see {what}", file=sys.stderr)
        wrong += 1
    if not knows_ios_17:
        return wrong
    try:
        toolchain.check(PASSES, flags)
    except Refused as refusal:
        print(f"error: the check for iOS refuses good code:\n{refusal}", file=sys.stderr)
        wrong += 1
    return wrong
