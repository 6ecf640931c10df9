// What tools say about a page: each rule explained in two languages, with what to do and where it comes from, and the answer to a
// question about a page as JSON. For the server, `benji page lint` and the WebAssembly module; apps do not have it. It may import
// nothing but BenjiPage, because it also compiles as Embedded Swift. Begin with `PageRequest.swift`.
