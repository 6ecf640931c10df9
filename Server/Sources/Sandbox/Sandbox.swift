// Virtual phones with SIMs and modems, and a virtual packet core that sends real RADIUS, around the real gateway and
// the real authority. The only made-up answers are the faults that somebody asks for. It knows no page. Begin with
// `World/SandboxWorld.swift`.
