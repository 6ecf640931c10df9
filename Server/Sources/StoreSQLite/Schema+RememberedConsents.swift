extension Schema {
    /// Version 6: consents that people had remembered are credentials of a kind of their own. Conventions as in
    /// ``version1``.
    static let rememberedConsents = """
        ALTER TABLE openid_client ADD COLUMN remembers_consent INTEGER NOT NULL DEFAULT 0 CHECK (remembers_consent IN (0, 1));
        -- When a remembered consent last bought a code.
        ALTER TABLE openid_credential ADD COLUMN used_at INTEGER;
        CREATE INDEX openid_credential_by_holder ON openid_credential (subscription) WHERE kind = 'remembered';
        """
}
