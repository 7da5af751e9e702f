/// SQL about sources.
enum SourceQuery {
  static let find = Query("SELECT id FROM sources WHERE name = ?1")
  static let insert = Query("INSERT INTO sources (name) VALUES (?1) RETURNING id")
  static let name = Query("SELECT name FROM sources WHERE id = ?1")

  static let queries = [find, insert, name]
}
