/// SQL about programs that speak for sources.
enum UpstreamQuery {
  static let programs = Query("SELECT source_id, commands FROM programs WHERE source_id > 0")
  static let saveProgram = Query(
    "INSERT INTO programs VALUES (?1, ?2) ON CONFLICT (source_id) DO UPDATE SET commands = excluded.commands")
  static let logins = Query("SELECT name, account_id FROM logins WHERE source_id = ?1 ORDER BY name")
  static let login = Query("SELECT account_id FROM logins WHERE source_id = ?1 AND name = ?2")
  static let allLogins = Query(
    """
    SELECT s.name, l.name, c.id, c.name FROM logins l CROSS JOIN sources s ON s.id = l.source_id
    CROSS JOIN accounts c ON c.id = l.account_id WHERE l.source_id > 0
    """)
  static let deleteLogin = Query("DELETE FROM logins WHERE source_id = ?1 AND name = ?2")
  static let loginCount = Query("SELECT count(*) FROM logins WHERE source_id = ?1 AND account_id = ?2")
  static let insertLogin = Query("INSERT INTO logins (source_id, name, account_id) VALUES (?1, ?2, ?3)")
  static let bookmarks = Query("SELECT bookmarks FROM logins WHERE source_id = ?1 AND name = ?2")
  static let setBookmarks = Query("UPDATE logins SET bookmarks = ?3 WHERE source_id = ?1 AND name = ?2")
  static let endedLogins = Query("SELECT name FROM ended_logins WHERE source_id = ?1 ORDER BY name")
  static let insertEndedLogin = Query(
    "INSERT OR REPLACE INTO ended_logins (source_id, name) VALUES (?1, ?2) RETURNING id")
  static let deleteEndedLogin = Query("DELETE FROM ended_logins WHERE source_id = ?1 AND name = ?2")
  static let deleteEndedLoginsBefore = Query("DELETE FROM ended_logins WHERE id <= ?1")
  static let limits = Query(
    """
    SELECT characters, link_characters FROM logins WHERE source_id = ?1 AND account_id = ?2 ORDER BY name LIMIT 1
    """)
  static let saveLimits = Query(
    "UPDATE logins SET characters = ?3, link_characters = ?4 WHERE source_id = ?1 AND name = ?2")
  static let server = Query("SELECT id FROM servers WHERE source_id = ?1 AND host = ?2")
  static let sourceOfServer = Query("SELECT source_id FROM servers WHERE id = ?1")
  static let host = Query("SELECT host FROM servers WHERE id = ?1")
  static let insertServer = Query("INSERT INTO servers (source_id, host) VALUES (?1, ?2) RETURNING id")
  static let cursors = Query("SELECT name, value FROM cursors WHERE source_id = ?1 AND subject = ?2")
  static let saveCursor = Query(
    """
    INSERT INTO cursors VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (source_id, subject, name) DO UPDATE SET value = excluded.value
    """)
  static let deleteCursor = Query("DELETE FROM cursors WHERE source_id = ?1 AND subject = ?2 AND name = ?3")

  static let deleteCursors = Query("DELETE FROM cursors WHERE source_id = ?1 AND subject = ?2")

  static let queries = [
    programs, saveProgram, logins, login, allLogins, deleteLogin, loginCount, insertLogin, bookmarks,
    setBookmarks, endedLogins,
    insertEndedLogin, deleteEndedLogin, deleteEndedLoginsBefore, limits, saveLimits, server, sourceOfServer, host,
    insertServer, cursors, saveCursor, deleteCursor, deleteCursors,
  ]
}
