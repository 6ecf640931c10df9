extension Schema {
    /// Version 6: how strictly an OpenID client is held.
    static let openIDProfiles = """
        ALTER TABLE openid_client ADD COLUMN requires_pkce INTEGER NOT NULL DEFAULT 1 CHECK (requires_pkce IN (0, 1));
        ALTER TABLE openid_client ADD COLUMN binds_access_tokens INTEGER NOT NULL DEFAULT 0
            CHECK (binds_access_tokens IN (0, 1));
        ALTER TABLE openid_client ADD COLUMN profile TEXT NOT NULL DEFAULT 'openid';
        """
}
