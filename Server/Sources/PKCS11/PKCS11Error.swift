import CPKCS11

/// Why an HSM was of no use. It never holds a PIN.
struct PKCS11Error: Error, Hashable {
    var problem: String

    init(_ problem: String) { self.problem = problem }

    /// - Parameter action: The attempted action: "open a session".
    init(_ action: String, _ code: CK_RV) { problem = "the HSM cannot \(action): \(Self.name(code))" }

    /// The code by its name in PKCS#11, which is what vendors' manuals list.
    static func name(_ code: CK_RV) -> String {
        names[code] ?? "PKCS#11 error 0x\(String(code, radix: 16))"
    }

    private static let names: [CK_RV: String] = [
        CKR_HOST_MEMORY: "CKR_HOST_MEMORY", CKR_GENERAL_ERROR: "CKR_GENERAL_ERROR",
        CKR_FUNCTION_FAILED: "CKR_FUNCTION_FAILED", CKR_ARGUMENTS_BAD: "CKR_ARGUMENTS_BAD",
        CKR_ATTRIBUTE_VALUE_INVALID: "CKR_ATTRIBUTE_VALUE_INVALID",
        CKR_DEVICE_ERROR: "CKR_DEVICE_ERROR", CKR_DEVICE_MEMORY: "CKR_DEVICE_MEMORY",
        CKR_DEVICE_REMOVED: "CKR_DEVICE_REMOVED", CKR_ENCRYPTED_DATA_INVALID: "CKR_ENCRYPTED_DATA_INVALID",
        CKR_FUNCTION_NOT_SUPPORTED: "CKR_FUNCTION_NOT_SUPPORTED", CKR_KEY_HANDLE_INVALID: "CKR_KEY_HANDLE_INVALID",
        CKR_KEY_TYPE_INCONSISTENT: "CKR_KEY_TYPE_INCONSISTENT",
        CKR_KEY_FUNCTION_NOT_PERMITTED: "CKR_KEY_FUNCTION_NOT_PERMITTED",
        CKR_MECHANISM_INVALID: "CKR_MECHANISM_INVALID", CKR_MECHANISM_PARAM_INVALID: "CKR_MECHANISM_PARAM_INVALID",
        CKR_PIN_INCORRECT: "CKR_PIN_INCORRECT", CKR_PIN_LOCKED: "CKR_PIN_LOCKED", CKR_PIN_EXPIRED: "CKR_PIN_EXPIRED",
        CKR_SESSION_COUNT: "CKR_SESSION_COUNT", CKR_SESSION_HANDLE_INVALID: "CKR_SESSION_HANDLE_INVALID",
        CKR_TEMPLATE_INCONSISTENT: "CKR_TEMPLATE_INCONSISTENT", CKR_TEMPLATE_INCOMPLETE: "CKR_TEMPLATE_INCOMPLETE",
        CKR_TOKEN_NOT_PRESENT: "CKR_TOKEN_NOT_PRESENT", CKR_TOKEN_WRITE_PROTECTED: "CKR_TOKEN_WRITE_PROTECTED",
        CKR_USER_NOT_LOGGED_IN: "CKR_USER_NOT_LOGGED_IN",
        CKR_USER_PIN_NOT_INITIALIZED: "CKR_USER_PIN_NOT_INITIALIZED",
        CKR_SESSION_READ_ONLY: "CKR_SESSION_READ_ONLY",
    ]

    /// Codes with which HSMs say that an authenticated text is not what this key encrypted; not all say it in one way.
    static let notDecrypted: Set<CK_RV> = [
        CKR_ENCRYPTED_DATA_INVALID, CKR_ENCRYPTED_DATA_LEN_RANGE, CKR_DATA_INVALID, CKR_SIGNATURE_INVALID,
        CKR_GENERAL_ERROR, CKR_FUNCTION_FAILED,
        // CKR_AEAD_DECRYPT_FAILED of PKCS#11 3.0, which this header does not have.
        0x42,
    ]
}
