// Looks at faces: which one is meant, whether it is good enough, whether it moves as it was asked to, who is alike. It
// knows no accounts, no numbers and no network, and keeps nothing. Begin with `Policy/FacePolicy.swift`, then
// `Challenge/FaceChallengeRun.swift`.
