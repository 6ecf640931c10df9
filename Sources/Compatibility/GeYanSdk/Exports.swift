// The types that an app gets with GeYanSdk: those that GeYan's and OneLogin's documents share, and `BenjiServer`.
@_exported public import OneTapCTypes
@_exported public import OneTapPageTypes
@_exported public import OneTapShell
