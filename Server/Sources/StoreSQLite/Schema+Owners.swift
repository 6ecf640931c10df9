extension Schema {
    /// Version 6: whose service an app is.
    static let owners = """
        ALTER TABLE app ADD COLUMN owner TEXT;
        """
}
