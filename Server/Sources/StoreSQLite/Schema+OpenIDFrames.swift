extension Schema {
    /// Version 6: who may show an OpenID client's page in a frame, and what it learns where no page is shown.
    static let openIDFrames = """
        ALTER TABLE openid_client ADD COLUMN frame_ancestors TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE openid_client ADD COLUMN stable_subject_without_page INTEGER NOT NULL DEFAULT 0
            CHECK (stable_subject_without_page IN (0, 1));
        """
}
