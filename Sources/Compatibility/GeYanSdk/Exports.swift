// What an app sees when it imports GeYanSdk alone: the types that documents 002 and 004 share, and `BenjiServer`.
@_exported public import OneTapCTypes
@_exported public import OneTapPageTypes
@_exported public import OneTapShell
