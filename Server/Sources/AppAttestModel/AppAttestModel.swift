// A model of what Apple does for App Attest: an authority that certifies keys, and the chip that makes and uses them. For phones that
// have neither: the sandbox's, and those of tests. Its root is drawn anew each time, so no server knows it that was not told; `benji
// serve` knows nothing of it. Begin with `ModelAuthority.swift`; the chip is in `ModelEnclave.swift`.
