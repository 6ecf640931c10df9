extension Schema {
    /// Version 6: by which ways an app's phones log in.
    static let workflow = """
        ALTER TABLE app ADD COLUMN workflow TEXT NOT NULL DEFAULT 'one-tap';
        """
}
