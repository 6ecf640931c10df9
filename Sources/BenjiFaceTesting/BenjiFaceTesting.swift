// Face login for tests: a scripted service, and a person in front of no camera. It is apart from BenjiTesting because
// it links camera code. Begin with `ScriptedFaceService.swift`.
