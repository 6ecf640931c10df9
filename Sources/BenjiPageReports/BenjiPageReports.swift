// The reports of tools on a page. Each rule is explained in two languages, with its remedy and its source. A question
// about a page is answered as JSON. For the server, `benji page lint` and the WebAssembly module; apps do not have it.
// It may import nothing but BenjiPage, because it also compiles as Embedded Swift. Begin with `PageRequest.swift`.
