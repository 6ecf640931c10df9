extension Schema {
    /// Version 6: clients that ask people on their phones (CIBA). Conventions as in ``version1``.
    static let backchannel = """
        -- How the client learns of a decision: poll, ping; NULL if it may not ask.
        ALTER TABLE openid_client ADD COLUMN backchannel_delivery TEXT;
        ALTER TABLE openid_client ADD COLUMN backchannel_notification TEXT;
        CREATE INDEX openid_credential_by_asked ON openid_credential (subscription) WHERE kind = 'backchannel';
        """
}
