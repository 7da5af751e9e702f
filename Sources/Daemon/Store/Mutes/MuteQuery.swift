/// SQL about mutes and blocks.
enum MuteQuery {
  static let authors = Query(
    "SELECT author_id FROM muted_authors WHERE account_id = ?1 AND kind = ?2 ORDER BY author_id")
  static let isListed = Query("SELECT 1 FROM muted_authors WHERE account_id = ?1 AND kind = ?2 AND author_id = ?3")
  static let authorCount = Query("SELECT count(*) FROM muted_authors WHERE account_id = ?1")
  static let insertAuthor = Query("INSERT OR IGNORE INTO muted_authors VALUES (?1, ?2, ?3)")
  static let deleteAuthor = Query("DELETE FROM muted_authors WHERE account_id = ?1 AND kind = ?2 AND author_id = ?3")
  static let words = Query("SELECT word FROM muted_words WHERE account_id = ?1 ORDER BY word")
  static let wordCount = Query("SELECT count(*) FROM muted_words WHERE account_id = ?1")
  static let insertWord = Query("INSERT OR IGNORE INTO muted_words VALUES (?1, ?2)")
  static let deleteWord = Query("DELETE FROM muted_words WHERE account_id = ?1 AND word = ?2")
  static let conversations = Query(
    "SELECT post_id FROM muted_conversations WHERE account_id = ?1 ORDER BY post_id")
  static let conversationCount = Query("SELECT count(*) FROM muted_conversations WHERE account_id = ?1")
  static let hasConversations = Query("SELECT EXISTS (SELECT 1 FROM muted_conversations WHERE account_id > 0)")
  static let insertConversation = Query("INSERT OR IGNORE INTO muted_conversations VALUES (?1, ?2)")
  static let deleteConversation = Query("DELETE FROM muted_conversations WHERE account_id = ?1 AND post_id = ?2")
  static let inheritConversation = Query(
    "INSERT OR IGNORE INTO muted_conversations SELECT ?1, id FROM posts WHERE reply_to = ?2")

  static let queries = [
    authors, isListed, authorCount, insertAuthor, deleteAuthor, words, wordCount, insertWord, deleteWord, conversations,
    conversationCount, hasConversations, insertConversation, deleteConversation,
    inheritConversation,
  ]
}
