// The program `benji`: its commands, its configuration, and the only place that knows all parts and puts them together.
// No rule of a login is here. Begin with `Assembly/ServerAssembly.swift`, then `Commands/ServeCommand.swift`.
