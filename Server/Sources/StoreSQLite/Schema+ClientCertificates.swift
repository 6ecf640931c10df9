extension Schema {
    /// Version 6: OpenID clients that authenticate by mutual TLS. Conventions as in ``version1``.
    static let clientCertificates = """
        ALTER TABLE openid_client ADD COLUMN certificate_name TEXT;
        ALTER TABLE openid_client ADD COLUMN binds_to_certificate INTEGER NOT NULL DEFAULT 0
            CHECK (binds_to_certificate IN (0, 1));
        """
}
