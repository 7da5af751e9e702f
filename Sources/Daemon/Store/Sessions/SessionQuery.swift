/// SQL about sessions.
enum SessionQuery {
  static let byName = Query(
    "SELECT name, bytes, revision, places, places_revision FROM sessions WHERE account_id = ?1 AND name = ?2")
  static let ofAccount = Query(
    "SELECT name, bytes, revision, places, places_revision FROM sessions WHERE account_id = ?1 ORDER BY name")
  static let count = Query("SELECT count(*) FROM sessions WHERE account_id = ?1")
  static let save = Query(
    """
    INSERT INTO sessions (account_id, name, bytes, revision) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (account_id, name)
    DO UPDATE SET bytes = excluded.bytes, revision = excluded.revision WHERE bytes IS NOT excluded.bytes
    """)
  static let savePlaces = Query(
    """
    INSERT INTO sessions (account_id, name, bytes, revision, places, places_revision) VALUES (?1, ?2, x'', 0, ?3, ?4)
    ON CONFLICT (account_id, name)
    DO UPDATE SET places = excluded.places, places_revision = excluded.places_revision WHERE places IS NOT excluded.places
    """)
  static let rename = Query("UPDATE sessions SET name = ?3, revision = ?4 WHERE account_id = ?1 AND name = ?2")
  static let delete = Query("DELETE FROM sessions WHERE account_id = ?1 AND name = ?2")

  static let queries = [byName, ofAccount, count, save, savePlaces, rename, delete]
}
