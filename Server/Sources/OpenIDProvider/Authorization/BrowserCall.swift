package import BenjiProtocol
package import Sightings

extension OpenIDProvider {
    /// The context of a browser's request.
    package struct BrowserCall: Sendable {
        /// Where the browser says that the answer goes.
        package enum Destination: Hashable, Sendable {
            case window
            /// A frame of a page of this origin, if the browser names one: `https://shop.example`.
            case frame(of: String?)
        }

        /// The secrets of the pages that are open in this browser, by the names of their cookies.
        package var cookies: [String: String]
        /// The languages of `Accept-Language`, best first.
        package var languages: [String]
        package var sighting: Result<Sighting, SightingRefusal>
        package var destination: Destination
        /// The address that the browser calls from, for the budget of a source. `nil` if the connection has none; then
        /// no code is sent.
        package var source: InternetAddress?

        package init(
            cookies: [String: String], languages: [String], sighting: Result<Sighting, SightingRefusal>,
            destination: Destination = .window, source: InternetAddress? = nil
        ) {
            self.cookies = cookies
            self.languages = languages
            self.sighting = sighting
            self.destination = destination
            self.source = source
        }
    }
}
