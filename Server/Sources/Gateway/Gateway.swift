// Answers which subscription holds the address that a request comes from. It hears the packet core's accounting, keeps who
// holds which address, and writes a journal before it answers. It knows no apps, no tokens and no HTTP, and keeps no number.
// Begin with `Directory/Directory.swift`, then `Service/GatewayService+Sighting.swift`.
