// Face login for apps: the camera, the challenge, and the account's screens. The only target with camera code, so that
// an app without face login asks for no camera. It judges no face; the server does. Begin with `FaceLogin.swift`, then
// `Flow/FaceFlow.swift`.
