// Wrapping keys in an HSM, used through PKCS#11. The vendor's module is loaded when it is needed and not before. It
// knows no database and no configuration. Begin with `PKCS11Key.swift`, then `PKCS11Session.swift`.
