extension Schema {
    /// The first places at the end of each day, so that the past of a long time need not make every list.
    static let version11 = """
        -- Derived: the first places of the last good list of each day (UTC) in a page, as a page of their own (PageTops);
        -- no bytes if none of its lists is good. A page without a row is read itself, until the clean-up gives it one.
        CREATE TABLE page_top (
            page INTEGER PRIMARY KEY REFERENCES result_page (id) ON DELETE CASCADE,
            bytes BLOB NOT NULL
        ) STRICT;
        """
}
