import BenjiProtocol
package import Store

extension AppRecord {
    /// Why a browser, which earns `net`, earns nothing for the app, or `nil`.
    package var problemWithBrowsers: String? {
        leastAssurance <= .net
            ? nil : "a browser earns net, and the app accepts \(leastAssurance.rawValue) or more"
    }
}
