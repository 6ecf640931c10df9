extension Schema {
    /// Version 5: what an OpenID client may ask CAMARA's interfaces for.
    static let camara = "ALTER TABLE openid_client ADD COLUMN purposes TEXT NOT NULL DEFAULT '[]'"
}
