// Face login for tests: a scripted service, and a person in front of no camera. Apart from BenjiTesting because it brings
// camera code into what is linked to it. Begin with `ScriptedFaceService.swift`.
