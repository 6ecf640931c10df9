// What an app sees when it imports GeYanSdk alone: the types that GeYan's and OneLogin's documents share, and `BenjiServer`.
@_exported public import OneTapCTypes
@_exported public import OneTapPageTypes
@_exported public import OneTapShell
