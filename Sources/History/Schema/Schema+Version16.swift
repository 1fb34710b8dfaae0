extension Schema {
    /// Names of entries without a number are found by what they are, and what version 15 recorded beside them is held
    /// against them: it took an app for absent where such an entry may have been it.
    static let version16 = """
        CREATE INDEX unnumbered_place_name ON unnumbered_place (lower(bundle_id));
        """
}
