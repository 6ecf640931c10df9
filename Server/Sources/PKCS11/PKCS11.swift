// Wrapping keys that lie in an HSM and are asked by PKCS#11: the module of its vendor is loaded when it is needed and not before.
// It knows no database and no configuration. Begin with `PKCS11Key.swift`, then `PKCS11Session.swift`.
