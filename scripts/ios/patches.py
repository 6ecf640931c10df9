"""The changes that a compiler on Linux needs in an SDK's copy, and additions for older SDKs. Each prints a line."""

import re
from pathlib import Path

# Xcode's compiler brings these names with it, and the SDK's own Swift declarations count on them.
# Module, folder, classes, protocols, types and functions; nothing means that Swift sees the name behind two
# underscores.
NAMES = [
    (
        "Dispatch", "usr/include/dispatch",
        {
            "OS_dispatch_object": "DispatchObject", "OS_dispatch_queue": "DispatchQueue",
            "OS_dispatch_io": "DispatchIO",
            "OS_dispatch_semaphore": "DispatchSemaphore", "OS_dispatch_group": "DispatchGroup",
            "OS_dispatch_source": "DispatchSource", "OS_dispatch_data": "__DispatchData", "OS_dispatch_queue_attr": "",
        },
        {
            f"OS_dispatch_source{name}": f"DispatchSource{swift}" for name, swift in {
                "": "Protocol", "_mach_send": "MachSend", "_mach_recv": "MachReceive",
                "_memorypressure": "MemoryPressure", "_proc": "Process", "_read": "Read", "_signal": "Signal",
                "_timer": "Timer", "_data_or": "UserDataOr", "_data_add": "UserDataAdd",
                "_data_replace": "UserDataReplace", "_vnode": "FileSystemObject", "_write": "Write",
            }.items()
        },
        {"dispatch_autorelease_frequency_t": "", "dispatch_block_flags_t": "", "dispatch_source_type_t": ""},
        {"dispatch_semaphore_create": "DispatchSemaphore.init(value:)",
         "dispatch_group_create": "DispatchGroup.init()"},
    ),
    (
        "os", "usr/include", {"OS_os_log": "OSLog"}, {},
        {"os_log_type_t": "OSLogType", "os_signpost_type_t": "OSSignpostType"},
        {
            "os_log_type_enabled": "OSLog.isEnabled(self:type:)", "_os_log_impl": "",
            "_os_signpost_emit_with_name_impl": "",
        },
    ),
]

# Declarations of SDKs since Xcode 16 that older ones lack: module, pattern, replacement, description.
PATCHES = [
    (
        "Swift",
        r"(func (?:map|flatMap)<[TU])>(\(_ transform: \((?:Self\.Element|Wrapped)\)) throws -> ([TU]\??)\) "
        r"rethrows -> ",
        r"\1, Thrown>\2 throws(Thrown) -> \3) throws(Thrown) -> ", "map and flatMap throw what they are given",
    ),
    (
        "Swift", r"(@inlinable public func get\(\)) throws -> Success", r"\1 throws(Failure) -> Success",
        "Result.get throws what it holds",
    ),
    (
        "Swift", r"(@_transparent )(public init\(_builtinBooleanLiteral)", r'\1@_semantics("bool.literal_init") \2',
        "that `while true` does not end",
    ),
    (
        "Swift", r"\Z", """
@_alwaysEmitIntoClient public func _willThrowTyped<Thrown>(_ error: Thrown) where Thrown : Swift.Error {
}
@_alwaysEmitIntoClient public func _unexpectedErrorTyped<Thrown>(_ error: __owned Thrown, \
filenameStart: Builtin.RawPointer, filenameLength: Builtin.Word, filenameIsASCII: Builtin.Int1, line: Builtin.Word) \
where Thrown : Swift.Error {
  _unexpectedError(error, filenameStart: filenameStart, filenameLength: filenameLength, \
filenameIsASCII: filenameIsASCII, line: line)
}
@_marker public protocol BitwiseCopyable {
}
""", "what Swift 6's compiler calls and looks for",
    ),
    (
        "Network", r"(final public var (?:pathUpdateHandler|stateUpdateHandler): \()(\()", r"\1@Sendable \2",
        "Network calls its handlers on the queue that it was given: they are @Sendable",
    ),
    (
        "Network", r"(public func receive\([^\n]*completion: @escaping )(\()", r"\1@Sendable \2",
        "the same for what receive calls",
    ),
    (
        "Network", r"(case contentProcessed\()(\(\()", r"\1@Sendable \2", "the same for what send calls",
    ),
    (
        "_Concurrency", r"\n([^\n]*\n)@propertyWrapper (final public class TaskLocal<)",
        r"\n\1@attached(accessor) @attached(peer, names: prefixed(`$`)) public macro TaskLocal() = "
        r'#externalMacro(module: "SwiftMacros", type: "TaskLocalMacro")\n\1\2',
        "@TaskLocal is a macro",
    ),
    (
        "SwiftUI", r'(os_log\([^"]*"""[^"]*?)<\\\(Value\.self\)>', r"\1",
        "no text put together in os_log, which a compiler on Linux refuses there",
    ),
]
# The same for what headers declare: framework, header, pattern, replacement, what it says.
HEADERS = [
    (
        "UIKit", "UIAccessibilityConstants", r"(UIKIT_EXTERN )(UIAccessibility(?:Traits|Notifications) )",
        r"\1const \2",
        "accessibility's traits and notifications are constants",
    ),
    (
        "UIKit", "UIAccessibility",
        r"(- \(BOOL\)accessibility(?:Activate|PerformEscape) API_AVAILABLE\(ios\(\d\.0\)\));", r"\1 NS_SWIFT_UI_ACTOR;",
        "accessibility's actions belong to the main actor",
    ),
    (
        "AVFoundation", "AVCaptureSession",
        r"(@property\(nonatomic\) AVCaptureVideoOrientation videoOrientation;\n)",
        r"\1@property(nonatomic) CGFloat videoRotationAngle API_AVAILABLE(ios(17.0));\n"
        r"- (BOOL)isVideoRotationAngleSupported:(CGFloat)angle API_AVAILABLE(ios(17.0));\n",
        "a connection's angle, of iOS 17",
    ),
    (
        "WebKit", "WKNavigationDelegate", r"(?<!ACTOR\n)(@protocol WKNavigationDelegate <)", r"NS_SWIFT_UI_ACTOR\n\1",
        "what navigation asks belongs to the main actor",
    ),
    (
        "WebKit", "WKNavigationDelegate", r"(decisionHandler:\(void \()(\^)",
        r"\1NS_SWIFT_UI_ACTOR NS_SWIFT_SENDABLE \2", "decision handlers belong to the main actor",
    ),
]
# Declared since, and there for older iOS too: function by which it is known, declaration.
ADDITIONS = {
    "makeStream": """
@available(iOS 13.0, *)
extension _Concurrency.AsyncStream {
  @available(iOS 13.0, *)
  public static func makeStream(of elementType: Element.Type = Element.self, \
bufferingPolicy limit: _Concurrency.AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded) -> \
(stream: _Concurrency.AsyncStream<Element>, continuation: _Concurrency.AsyncStream<Element>.Continuation)
}
""",
    "assumeIsolated": """
@available(iOS 13.0, *)
extension _Concurrency.MainActor {
  @available(iOS 13.0, *)
  public static func assumeIsolated<T>(_ operation: @_Concurrency.MainActor () throws -> T, \
file: Swift.StaticString = #fileID, line: Swift.UInt = #line) rethrows -> T where T : Swift.Sendable
}
""",
}

# Types of Network that later SDKs declare Sendable. The classes are so from iOS 17 on only.
SENDABLE = ["NWPath", "NWInterface", "NWInterface.InterfaceType", "NWPath.Status", "NWPath.UnsatisfiedReason",
            "NWError"]


class Copy:
    """A copy of an SDK, and what was patched in it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.patched: list[str] = []

    def patch(self) -> list[str]:
        for names in NAMES:
            self._name(*names)
        self._patch_interfaces()
        return self.patched

    def _name(self, module: str, folder: str, classes: dict, protocols: dict, typedefs: dict, functions: dict) -> None:
        """Writes the notes by which C's names become Swift's, unless the SDK has some."""
        notes = self.folder / folder / f"{module}.apinotes"
        if notes.exists():
            return
        lines = ["---", f"Name: {module}"]
        for title, names in [
            ("Classes", classes), ("Protocols", protocols), ("Typedefs", typedefs), ("Functions", functions),
        ]:
            if names:
                lines.append(f"{title}:")
            for name, swift in names.items():
                lines.append(f"- {{Name: {name}, " + (f"SwiftName: '{swift}'}}" if swift else "SwiftPrivate: true}"))
        notes.write_text("\n".join(lines) + "\n")
        self.patched.append(f"{module}: the names that Xcode's compiler brings")

    def _patch_interfaces(self) -> None:
        for module, pattern, replacement, meaning in PATCHES:
            file = self._interface(module)
            before = file.read_text()
            # An SDK of Xcode 16 or later needs none of these.
            if module == "Swift" and "throws(" in before and not any("Swift:" in patch for patch in self.patched):
                continue
            text, count = re.subn(pattern, replacement, before)
            if count and "@Sendable @Sendable" not in text:
                file.write_text(text)
                self.patched.append(f"{module}: {meaning} ({count})")
        for framework, header, pattern, replacement, meaning in HEADERS:
            file = self.folder / f"System/Library/Frameworks/{framework}.framework/Headers/{header}.h"
            text, count = re.subn(pattern, replacement, file.read_text())
            if count:
                file.write_text(text)
                self.patched.append(f"{framework}: {meaning} ({count})")
        concurrency = self._interface("_Concurrency")
        for name, declaration in ADDITIONS.items():
            if f"func {name}" not in concurrency.read_text():
                concurrency.write_text(concurrency.read_text() + declaration)
                self.patched.append(f"_Concurrency: {name}, declared since and there for older iOS too")
        dispatch = self._interface("Dispatch")
        missing = [
            name for name in ["DispatchQueue", "DispatchSemaphore"]
            if not re.search(rf"Dispatch\.{name} : [^\n{{]*Sendable", dispatch.read_text())]
        if missing and "Dispatch: the names that Xcode's compiler brings" in self.patched:
            dispatch.write_text(
                dispatch.read_text()
                + "".join(f"extension Dispatch.{name} : @unchecked Swift.Sendable {{}}\n" for name in missing))
            self.patched.append(f"Dispatch: Sendable, as later SDKs say ({', '.join(missing)})")
        network = self._interface("Network")
        text = network.read_text()
        missing = [name for name in SENDABLE if not re.search(rf"{re.escape(name)} : [^\n{{]*Sendable", text)]
        if missing:
            network.write_text(
                text + "".join(
                    f"@available(iOS {'14.2' if name.endswith('Reason') else '12.0'}, *)\n"
                    f"extension Network.{name} : @unchecked Swift.Sendable {{}}\n" for name in missing))
            self.patched.append(f"Network: Sendable, as later SDKs say ({', '.join(missing)})")

    def _interface(self, module: str) -> Path:
        file = f"{module}.swiftmodule/arm64-apple-ios.swiftinterface"
        framework = self.folder / f"System/Library/Frameworks/{module}.framework/Modules" / file
        return framework if framework.exists() else self.folder / "usr/lib/swift" / file
