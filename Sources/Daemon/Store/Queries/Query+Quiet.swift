extension Query {
  /// Its text, if it is about what accounts do not want to see.
  var quietSQL: String? {
    switch self {
    case .quietAuthors: "SELECT author_id FROM quiet_authors WHERE account_id = ?1 AND kind = ?2 ORDER BY author_id"
    case .isQuietAuthor: "SELECT 1 FROM quiet_authors WHERE account_id = ?1 AND kind = ?2 AND author_id = ?3"
    case .quietAuthorCount: "SELECT count(*) FROM quiet_authors WHERE account_id = ?1"
    case .insertQuietAuthor: "INSERT OR IGNORE INTO quiet_authors VALUES (?1, ?2, ?3)"
    case .deleteQuietAuthor: "DELETE FROM quiet_authors WHERE account_id = ?1 AND kind = ?2 AND author_id = ?3"
    case .quietWords: "SELECT word FROM quiet_words WHERE account_id = ?1 ORDER BY word"
    case .quietWordCount: "SELECT count(*) FROM quiet_words WHERE account_id = ?1"
    case .insertQuietWord: "INSERT OR IGNORE INTO quiet_words VALUES (?1, ?2)"
    case .deleteQuietWord: "DELETE FROM quiet_words WHERE account_id = ?1 AND word = ?2"
    default: nil
    }
  }
}
