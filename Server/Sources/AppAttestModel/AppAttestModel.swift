// A model of Apple's side of App Attest: an authority that certifies keys, and the chip that makes and uses them. For
// phones that have neither: the sandbox's, and those of tests. Its root is random each time, so only a configured
// server knows it; `benji serve` does not use it. Begin with `ModelAuthority.swift`; the chip is in
// `ModelEnclave.swift`.
