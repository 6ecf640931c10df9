import CPKCS11
import Foundation
import Synchronization

/// A session with one token, for the length of one call: module loaded, token found, logged in.
struct PKCS11Session: ~Copyable {
    private let functions: CK_FUNCTION_LIST
    private let handle: CK_SESSION_HANDLE
    private let uri: PKCS11URI

    /// PINs that tokens refused in this process. A token counts wrong PINs and locks itself, so none is tried twice, by
    /// any URI or module. The lock also keeps two callers from one module: initialisation and login belong to the
    /// process, not to the caller.
    private static let refusedPINs = Mutex<RefusedPINs>([:])
    private typealias RefusedPINs = [[String]: Set<[UInt8]>]

    static func use<Value: Sendable>(
        _ uri: PKCS11URI, changing: Bool, _ body: (borrowing PKCS11Session) throws(PKCS11Error) -> Value
    ) throws(PKCS11Error) -> Value {
        let result = refusedPINs.withLock { refused -> Result<Value, PKCS11Error> in
            do throws(PKCS11Error) {
                return .success(
                    try withModule(uri) { functions throws(PKCS11Error) in
                        try withSession(uri, functions, changing: changing, &refused, body)
                    })
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    // MARK: beginning and ending

    private static func withModule<Value: Sendable>(
        _ uri: PKCS11URI, _ body: (CK_FUNCTION_LIST) throws(PKCS11Error) -> Value
    ) throws(PKCS11Error) -> Value {
        // It is never unloaded: modules leave handlers for the end of the process.
        guard let library = dlopen(uri.modulePath, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "the system does not say why"
            throw PKCS11Error(
                access(uri.modulePath, F_OK) == 0
                    ? "the module \(uri.modulePath) cannot be loaded: \(reason)"
                    : "there is no module \(uri.modulePath), or it may not be looked at; install your HSM's library, "
                        + "and correct "
                        + "module-path")
        }
        typealias GetFunctionList =
            @convention(c) (UnsafeMutablePointer<CK_FUNCTION_LIST_PTR?>?) -> CK_RV
        var list: CK_FUNCTION_LIST_PTR?
        guard let symbol = dlsym(library, "C_GetFunctionList"),
            unsafeBitCast(symbol, to: GetFunctionList.self)(&list) == CKR_OK, let list
        else {
            throw PKCS11Error(
                "\(uri.modulePath) is no PKCS#11 module: it has no C_GetFunctionList; correct module-path")
        }
        let functions = list.pointee
        var arguments = CK_C_INITIALIZE_ARGS()
        arguments.flags = CK_FLAGS(CKF_OS_LOCKING_OK)
        let code = functions.C_Initialize(&arguments)
        guard code == CKR_OK || code == CKR_CRYPTOKI_ALREADY_INITIALIZED else {
            throw PKCS11Error(
                "the module \(uri.modulePath) does not start: \(PKCS11Error.name(code)); see that this user "
                    + "(\(NSUserName())) may "
                    + "read the module's own configuration")
        }
        defer { if code == CKR_OK { _ = functions.C_Finalize(nil) } }
        return try body(functions)
    }

    // Swift 6.3.1 crashes when it inlines this with optimisation: the value lent to `body` cannot be copied.
    @inline(never)
    private static func withSession<Value: Sendable>(
        _ uri: PKCS11URI, _ functions: CK_FUNCTION_LIST, changing: Bool, _ refused: inout RefusedPINs,
        _ body: (borrowing PKCS11Session) throws(PKCS11Error) -> Value
    ) throws(PKCS11Error) -> Value {
        let (slot, information) = try token(uri, functions)
        var mechanism = CK_MECHANISM_INFO()
        guard functions.C_GetMechanismInfo(slot, CK_MECHANISM_TYPE(CKM_AES_GCM), &mechanism) == CKR_OK else {
            throw PKCS11Error("the token cannot do AES-GCM (CKM_AES_GCM), which wraps master keys; take another token")
        }
        let flags = CK_FLAGS(CKF_SERIAL_SESSION) | (changing ? CK_FLAGS(CKF_RW_SESSION) : 0)
        var handle = CK_SESSION_HANDLE()
        let code = functions.C_OpenSession(slot, flags, nil, nil, &handle)
        guard code == CKR_OK else { throw PKCS11Error("open a session", code) }
        defer { _ = functions.C_CloseSession(handle) }
        try logIn(uri, functions, handle, information, &refused)
        defer { _ = functions.C_Logout(handle) }
        return try body(PKCS11Session(functions: functions, handle: handle, uri: uri))
    }

    private static func token(
        _ uri: PKCS11URI, _ functions: CK_FUNCTION_LIST
    ) throws(PKCS11Error) -> (CK_SLOT_ID, CK_TOKEN_INFO) {
        var count: CK_ULONG = 0
        var code = functions.C_GetSlotList(CK_BBOOL(CK_TRUE), nil, &count)
        guard code == CKR_OK else { throw PKCS11Error("list its tokens", code) }
        var slots = [CK_SLOT_ID](repeating: 0, count: Int(count))
        code = functions.C_GetSlotList(CK_BBOOL(CK_TRUE), &slots, &count)
        guard code == CKR_OK else { throw PKCS11Error("list its tokens", code) }
        var found: [(CK_SLOT_ID, CK_TOKEN_INFO)] = []
        var others: [String] = []
        for slot in slots.prefix(Int(count)) {
            var information = CK_TOKEN_INFO()
            guard functions.C_GetTokenInfo(slot, &information) == CKR_OK,
                information.flags & CK_FLAGS(CKF_TOKEN_INITIALIZED) != 0
            else { continue }
            let label = words(information.label)
            let isIt =
                [
                    (uri.token, label), (uri.serial, words(information.serialNumber)),
                    (uri.manufacturer, words(information.manufacturerID)), (uri.model, words(information.model)),
                ].allSatisfy { asked, there in asked == nil || asked == there }
            if isIt { found.append((slot, information)) } else { others.append("token=\(label)") }
        }
        guard let first = found.first else {
            throw PKCS11Error(
                "the HSM has no such token; "
                    + (others.isEmpty
                        ? "it has none at all: see that it is connected, and that this user (\(NSUserName())) may use "
                            + "it"
                        : "it has \(others.prefix(5).joined(separator: ", "))"))
        }
        guard found.count == 1 else {
            throw PKCS11Error("the HSM has \(found.count) such tokens; add the serial number of one: serial=…")
        }
        return first
    }

    /// A field of fixed length, without the blanks that fill it.
    private static func words<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { bytes in
            let end = bytes.lastIndex { $0 != 0x20 && $0 != 0 }.map { $0 + 1 } ?? 0
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
    }

    private static func logIn(
        _ uri: PKCS11URI, _ functions: CK_FUNCTION_LIST, _ session: CK_SESSION_HANDLE, _ information: CK_TOKEN_INFO,
        _ refused: inout RefusedPINs
    ) throws(PKCS11Error) {
        func has(_ flag: UInt) -> Bool { information.flags & CK_FLAGS(flag) != 0 }
        guard has(CKF_LOGIN_REQUIRED) else { return }
        guard let path = uri.pinPath else {
            throw PKCS11Error(
                "the token asks for a PIN; write it into a file of mode 0600 and name that: pin-source=file:/…")
        }
        guard !has(CKF_USER_PIN_LOCKED) else { throw locked }
        // A service that is started again and again must not lock a token.
        guard !has(CKF_USER_PIN_FINAL_TRY) else {
            throw PKCS11Error(
                "wrong PINs were given to the token, and one more locks it, so the PIN in \(path) was not tried. "
                    + "Correct it, and log "
                    + "in once with your HSM's own tool, such as: pkcs11-tool --module \(uri.modulePath) --login "
                    + "--list-objects"
            )
        }
        var pin = try pin(in: path)
        defer { for index in pin.indices { pin[index] = 0 } }
        let wrong = PKCS11Error(
            "the token refuses the PIN in \(path). Correct it before you try again: a token locks itself after a few "
                + "wrong PINs"
        )
        // The values that identify a token (RFC 7512, section 2.3).
        let token = [
            words(information.manufacturerID), words(information.model), words(information.serialNumber),
            words(information.label),
        ]
        guard refused[token]?.contains(pin) != true else { throw wrong }
        let code = functions.C_Login(session, CK_USER_TYPE(CKU_USER), &pin, CK_ULONG(pin.count))
        switch code {
        case CKR_OK, CKR_USER_ALREADY_LOGGED_IN: break
        case CKR_PIN_INCORRECT, CKR_PIN_LEN_RANGE, CKR_PIN_INVALID:
            refused[token, default: []].insert(pin)
            throw wrong
        case CKR_PIN_LOCKED: throw locked
        case CKR_PIN_EXPIRED: throw PKCS11Error("the token's PIN has expired; set a new one with your HSM's own tool")
        case CKR_USER_PIN_NOT_INITIALIZED:
            throw PKCS11Error("the token has no user PIN yet; set one with your HSM's own tool")
        default: throw PKCS11Error("log in", code)
        }
    }

    private static var locked: PKCS11Error {
        PKCS11Error(
            "the token has locked itself after wrong PINs; its security officer unlocks it with your HSM's own tool")
    }

    private static func pin(in path: String) throws(PKCS11Error) -> [UInt8] {
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: place)
        guard let attributes, let data = FileManager.default.contents(atPath: place) else {
            throw PKCS11Error(
                "the file of the PIN, \(path), "
                    + "\(access(path, F_OK) == 0 ? "may not be read by this user (\(NSUserName()))" : "is missing")"
            )
        }
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard mode & 0o007 == 0 else {
            throw PKCS11Error(
                "everybody on this machine may use \(path), which holds the PIN; run: chmod o-rwx \(path)")
        }
        // One line, as editors and echo write it.
        var pin = Array(data)
        while let last = pin.last, last == 0x0a || last == 0x0d { pin.removeLast() }
        guard !pin.isEmpty else { throw PKCS11Error("\(path) is empty, where the PIN should be") }
        return pin
    }

    // MARK: the key

    /// The one key that the URI names.
    func key() throws(PKCS11Error) -> CK_OBJECT_HANDLE {
        let found = try keys()
        guard let key = found.first else {
            throw PKCS11Error(
                "the token has no such AES key; correct object= or id=, or make it with: benji keys new-wrapping-key")
        }
        guard found.count == 1 else {
            throw PKCS11Error("the token has more than one such AES key; add the id of one: id=%01")
        }
        return key
    }

    private func keys() throws(PKCS11Error) -> [CK_OBJECT_HANDLE] {
        var template = Template()
        template.add(CKA_CLASS, CKO_SECRET_KEY)
        template.add(CKA_KEY_TYPE, CKK_AES)
        names(&template)
        let code = template.use { functions.C_FindObjectsInit(handle, $0, $1) }
        guard code == CKR_OK else { throw PKCS11Error("look for the key", code) }
        defer { _ = functions.C_FindObjectsFinal(handle) }
        var found = [CK_OBJECT_HANDLE](repeating: 0, count: 2)
        var count: CK_ULONG = 0
        let read = functions.C_FindObjects(handle, &found, CK_ULONG(found.count), &count)
        guard read == CKR_OK else { throw PKCS11Error("look for the key", read) }
        return Array(found.prefix(Int(count)))
    }

    private func names(_ template: inout Template) {
        if let object = uri.object { template.add(CKA_LABEL, Array(object.utf8)) }
        if let id = uri.id { template.add(CKA_ID, id) }
    }

    func makeKey() throws(PKCS11Error) {
        guard try keys().isEmpty else { throw PKCS11Error("the token has this key already; nothing was made") }
        var template = Template()
        template.add(CKA_CLASS, CKO_SECRET_KEY)
        template.add(CKA_KEY_TYPE, CKK_AES)
        template.add(CKA_VALUE_LEN, 32)
        names(&template)
        for attribute in [CKA_TOKEN, CKA_PRIVATE, CKA_SENSITIVE, CKA_ENCRYPT, CKA_DECRYPT] {
            template.add(attribute, true)
        }
        // A key that decrypts and wraps could be asked to take other keys out.
        for attribute in [CKA_EXTRACTABLE, CKA_WRAP, CKA_UNWRAP, CKA_SIGN, CKA_VERIFY] {
            template.add(attribute, false)
        }
        var mechanism = CK_MECHANISM(mechanism: CK_MECHANISM_TYPE(CKM_AES_KEY_GEN), pParameter: nil, ulParameterLen: 0)
        var key = CK_OBJECT_HANDLE()
        let code = template.use { functions.C_GenerateKey(handle, &mechanism, $0, $1, &key) }
        guard code == CKR_OK else { throw PKCS11Error("make the key", code) }
    }

    /// Returns the value of an attribute of the key; `nil` if the HSM does not reveal it.
    func isSet(_ attribute: UInt, of key: CK_OBJECT_HANDLE) -> Bool? {
        var value: CK_BBOOL = 0
        let code = withUnsafeMutablePointer(to: &value) { pointer in
            var attribute = CK_ATTRIBUTE(
                type: CK_ATTRIBUTE_TYPE(attribute), pValue: pointer, ulValueLen: CK_ULONG(MemoryLayout<CK_BBOOL>.size))
            return functions.C_GetAttributeValue(handle, key, &attribute, 1)
        }
        return code == CKR_OK ? value != 0 : nil
    }

    // MARK: wrapping

    private static let tagLength = 16

    /// - Parameter nonce: afterwards the one that was used.
    func encrypt(
        _ text: [UInt8], under key: CK_OBJECT_HANDLE, nonce: inout [UInt8], context: [UInt8]
    ) throws(PKCS11Error) -> [UInt8] {
        var text = text
        var output = [UInt8](repeating: 0, count: text.count + 64)
        var count = CK_ULONG(output.count)
        let code = Self.withGCM(&nonce, context) { mechanism in
            let code = functions.C_EncryptInit(handle, mechanism, key)
            guard code == CKR_OK else { return code }
            return functions.C_Encrypt(handle, &text, CK_ULONG(text.count), &output, &count)
        }
        guard code == CKR_OK else { throw PKCS11Error("encrypt with this key", code) }
        return Array(output.prefix(Int(count)))
    }

    /// - Returns: `nil` for what this key has not encrypted.
    func decrypt(
        _ text: [UInt8], under key: CK_OBJECT_HANDLE, nonce: inout [UInt8], context: [UInt8]
    ) throws(PKCS11Error) -> [UInt8]? {
        var text = text
        var output = [UInt8](repeating: 0, count: text.count + 64)
        var count = CK_ULONG(output.count)
        var isBegun = false
        let code = Self.withGCM(&nonce, context) { mechanism in
            let code = functions.C_DecryptInit(handle, mechanism, key)
            guard code == CKR_OK else { return code }
            isBegun = true
            return functions.C_Decrypt(handle, &text, CK_ULONG(text.count), &output, &count)
        }
        guard code == CKR_OK else {
            if isBegun, PKCS11Error.notDecrypted.contains(code) { return nil }
            throw PKCS11Error("decrypt with this key", code)
        }
        return Array(output.prefix(Int(count)))
    }

    /// The parameters live as long as `body`, because an HSM may write its nonce as late as with the result.
    private static func withGCM(
        _ nonce: inout [UInt8], _ context: [UInt8], _ body: (UnsafeMutablePointer<CK_MECHANISM>) -> CK_RV
    ) -> CK_RV {
        var context = context
        return nonce.withUnsafeMutableBufferPointer { nonce in
            context.withUnsafeMutableBufferPointer { context in
                var parameters = CK_GCM_PARAMS()
                parameters.pIv = nonce.baseAddress
                parameters.ulIvLen = CK_ULONG(nonce.count)
                parameters.ulIvBits = CK_ULONG(nonce.count * 8)
                parameters.pAAD = context.baseAddress
                parameters.ulAADLen = CK_ULONG(context.count)
                parameters.ulTagBits = CK_ULONG(tagLength * 8)
                return withUnsafeMutablePointer(to: &parameters) { parameters in
                    var mechanism = CK_MECHANISM(
                        mechanism: CK_MECHANISM_TYPE(CKM_AES_GCM), pParameter: parameters,
                        ulParameterLen: CK_ULONG(MemoryLayout<CK_GCM_PARAMS>.size))
                    return body(&mechanism)
                }
            }
        }
    }
}

/// Attributes of an object, with the bytes that they point to.
private struct Template {
    private var attributes: [(type: CK_ATTRIBUTE_TYPE, value: [UInt8])] = []

    mutating func add(_ type: UInt, _ value: [UInt8]) { attributes.append((CK_ATTRIBUTE_TYPE(type), value)) }
    mutating func add(_ type: UInt, _ value: Bool) { add(type, [value ? 1 : 0]) }
    mutating func add(_ type: UInt, _ value: UInt) { add(type, withUnsafeBytes(of: CK_ULONG(value)) { Array($0) }) }

    func use(_ body: (UnsafeMutablePointer<CK_ATTRIBUTE>?, CK_ULONG) -> CK_RV) -> CK_RV {
        // One block for all values, so that every pointer holds while `body` runs.
        var bytes = attributes.flatMap(\.value)
        return bytes.withUnsafeMutableBytes { block in
            var offset = 0
            var list = attributes.map { attribute in
                defer { offset += attribute.value.count }
                return CK_ATTRIBUTE(
                    type: attribute.type, pValue: block.baseAddress.map { $0 + offset },
                    ulValueLen: CK_ULONG(attribute.value.count))
            }
            return body(&list, CK_ULONG(list.count))
        }
    }
}
