package import Store

extension AppRecord {
    /// Decides whether OpenID Connect's and CAMARA's interfaces still answer everywhere. An order that names server
    /// addresses ends that, unless the same order says otherwise.
    ///
    /// - Parameters:
    ///   - said: what the order says of it, if anything.
    ///   - namesAddresses: whether the order names server addresses.
    package mutating func settleOpenIDFromAnywhere(_ said: Bool?, namesAddresses: Bool) {
        openIDFromAnywhere = said ?? (openIDFromAnywhere && !namesAddresses)
    }
}
