// What every process needs that answers requests, whatever it decides: the refusal, limits by sender, the memory of
// proofs, and the comparison of clocks. It knows no HTTP. Begin with `Refusal.swift`.
