package enum RevokedBindings {
    /// An SQL condition: the binding that the expression names has been revoked.
    package static func contain(_ expression: String) -> String {
        "EXISTS (SELECT 1 FROM revoked_binding AS r WHERE r.binding = \(expression))"
    }
}
