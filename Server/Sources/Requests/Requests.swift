// Rules for requests that gateway and authority share: the refusal, limits by sender, the memory of proofs, and the
// comparison of clocks. It uses no HTTP. Begin with `Refusal.swift`.
