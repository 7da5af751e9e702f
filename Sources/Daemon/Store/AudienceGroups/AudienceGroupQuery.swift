/// SQL about audience groups.
enum AudienceGroupQuery {
  static let ofFollowers = Query("SELECT id FROM audience_groups WHERE account_id = ?1 AND writer_id = ?2")
  static let everyOfFollowers = Query("SELECT id, writer_id FROM audience_groups WHERE account_id = ?1")
  static let leader = Query("SELECT account_id FROM audience_groups WHERE id = ?1")
  static let ofPeople = Query("SELECT id FROM audience_groups WHERE people = ?1")
  static let people = Query("SELECT people FROM audience_groups WHERE id = ?1 AND people IS NOT NULL")
  static let insert = Query(
    "INSERT INTO audience_groups (account_id, writer_id, people) VALUES (?1, ?2, ?3) RETURNING id")
  static let insertMember = Query("INSERT OR IGNORE INTO members VALUES (?1, ?2)")
  static let deleteMember = Query("DELETE FROM members WHERE account_id = ?1 AND audience = ?2")
  static let members = Query("SELECT account_id FROM members WHERE audience = ?1")
  static let isMember = Query("SELECT 1 FROM members WHERE account_id = ?1 AND audience = ?2")
  static let audiences = Query("SELECT audience FROM members WHERE account_id = ?1")

  static let queries = [
    ofFollowers, everyOfFollowers, leader, ofPeople, people, insert, insertMember, deleteMember, members, isMember,
    audiences,
  ]
}
