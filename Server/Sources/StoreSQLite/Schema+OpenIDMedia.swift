extension Schema {
    /// The images of the OpenID clients' pages. Two apps may have the same one. Conventions as in ``version1``.
    static let openIDMedia = """
        CREATE TABLE openid_media (
            app TEXT NOT NULL REFERENCES openid_client (app),
            name TEXT NOT NULL,
            digest TEXT NOT NULL,
            type TEXT NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (app, name)
        ) STRICT;
        CREATE INDEX openid_media_by_digest ON openid_media (digest);
        """
}
