// The public module: one call, a page, a token. It joins engine and page, and has no rules, vendor or face login of its
// own. Apps import it alone: it exports the modules whose types its interface has. Begin with `PhoneLogin.swift`.
@_exported public import BenjiClient
@_exported public import BenjiPage
@_exported public import BenjiProtocol

#if canImport(UIKit)
@_exported public import BenjiPageUIKit
#endif
