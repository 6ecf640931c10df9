// The sandbox's page for people and its interface for scripts. It shows and orders; what happens is Sandbox's business.
// Begin with `SandboxAPI.swift`.
