extension Schema {
  /// What accounts have done to posts: see ``PostMarks``, which the column holds. A repost has none; those of its
  /// original hold.
  static let version4 = Migration("ALTER TABLE posts ADD COLUMN marks BLOB NOT NULL DEFAULT x'';")
}
