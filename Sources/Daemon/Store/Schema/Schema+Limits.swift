extension Schema {
  /// How long an account's posts may be, where it has said so.
  static let limits = Migration("ALTER TABLE accounts ADD COLUMN post_limit INTEGER;")
}
