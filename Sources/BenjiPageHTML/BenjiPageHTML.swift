// Draws the authorization page as one HTML document. It knows neither the server that sends it nor the login: it gets a
// scene and gives back text. Begin with `PageHTML.swift`.
