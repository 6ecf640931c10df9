package import Store

extension AppRecord {
    /// Decides whether OpenID Connect's and CAMARA's interfaces still answer everywhere. Whoever names the addresses of a server
    /// means that others are not answered, unless he says otherwise at once.
    ///
    /// - Parameters:
    ///   - said: what the order says of it, if anything.
    ///   - namesAddresses: whether the order names server addresses.
    package mutating func settleOpenIDFromAnywhere(_ said: Bool?, namesAddresses: Bool) {
        openIDFromAnywhere = said ?? (openIDFromAnywhere && !namesAddresses)
    }
}
