// What an app adds: one call, a page, a token. It joins engine and page and has no rules of its own. It knows no vendor and no
// face login. Apps import this module alone: it brings those of which its interface has types. Begin with `PhoneLogin.swift`.
@_exported public import BenjiClient
@_exported public import BenjiPage
@_exported public import BenjiProtocol

#if canImport(UIKit)
@_exported public import BenjiPageUIKit
#endif
