// Values that a page, the carriers' policy, the result codes and the messages of the device interface have in common.
// They are a carrier, a language and a text in several languages. Two rules are here as well: the grammar of texts for
// people, and the mobile numbers of mainland China. The module imports nothing, not even Foundation, because it also
// compiles as Embedded Swift for WebAssembly. BenjiPage and BenjiProtocol export it, so no other module names it.
