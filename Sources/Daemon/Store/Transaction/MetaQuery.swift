/// SQL about the one row of `meta`.
enum MetaQuery {
  static let read = Query("SELECT epoch, revision, last_post, closed FROM meta WHERE id = 1")
  static let save = Query("UPDATE meta SET revision = ?1, last_post = ?2, closed = ?3 WHERE id = 1")

  static let follows = Query("SELECT follows FROM meta WHERE id = 1")
  static let setFollows = Query("UPDATE meta SET follows = ?1 WHERE id = 1")

  static let queries = [read, save, follows, setFollows]
}
