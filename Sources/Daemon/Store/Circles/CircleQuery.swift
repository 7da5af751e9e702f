/// SQL about circles.
enum CircleQuery {
  static let ofFollowers = Query("SELECT id FROM circles WHERE account_id = ?1 AND keeper_id = ?2")
  static let everyOfFollowers = Query("SELECT id, keeper_id FROM circles WHERE account_id = ?1")
  static let leader = Query("SELECT account_id FROM circles WHERE id = ?1")
  static let ofPeople = Query("SELECT id FROM circles WHERE people = ?1")
  static let insert = Query("INSERT INTO circles (account_id, keeper_id, people) VALUES (?1, ?2, ?3) RETURNING id")
  static let insertMember = Query("INSERT OR IGNORE INTO members VALUES (?1, ?2)")
  static let deleteMember = Query("DELETE FROM members WHERE account_id = ?1 AND audience = ?2")
  static let members = Query("SELECT account_id FROM members WHERE audience = ?1")
  static let isMember = Query("SELECT 1 FROM members WHERE account_id = ?1 AND audience = ?2")
  static let audiences = Query("SELECT audience FROM members WHERE account_id = ?1")

  static let queries = [
    ofFollowers, everyOfFollowers, leader, ofPeople, insert, insertMember, deleteMember, members, isMember, audiences,
  ]
}
