extension Schema {
    /// Version 6: spending a token changes its row and no index (decision 37). Conventions as in ``version1``.
    static let tokenOrder = """
        -- The name of the request that spent it.
        ALTER TABLE token ADD COLUMN message TEXT;
        -- Nothing: what a spending writes takes its place, so that the row keeps its size and is written where it lies.
        ALTER TABLE token ADD COLUMN room BLOB;
        -- Whether the indexes by subscription and binding hold it. A spent one leaves them when the next of the subscription
        -- is issued.
        ALTER TABLE token ADD COLUMN listed INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1));
        DROP INDEX token_unused;
        DROP INDEX token_by_binding;
        CREATE INDEX token_by_subscription ON token (subscription, issued_at, app) WHERE listed = 1;
        CREATE INDEX token_by_binding ON token (binding) WHERE listed = 1;
        """
}
