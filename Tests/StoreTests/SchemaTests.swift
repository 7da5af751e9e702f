import Testing

@testable import Store

@Suite("The tables, and the plans by which they are read")
struct SchemaTests {
  @Test("no statement scans posts, aliases or requests, and none sorts a timeline", arguments: Query.allCases)
  func plan(query: Query) throws {
    let fixture = try Fixture()
    if [.begin, .commit, .rollback].contains(query) { return }
    let statement = try fixture.store.connection.prepare("EXPLAIN QUERY PLAN \(query.sql)")
    var lines: [String] = []
    while try statement.step() { lines.append(statement.text(3)) }
    for line in lines {
      let table = line.split(separator: " ").dropFirst().first ?? ""
      // Not scans of tables: what is climbed, the values of an array ("j"); FTS5 is asked for what matches ("M"), by
      // its own name.
      if line.hasPrefix("SCAN search VIRTUAL TABLE INDEX"), line.contains(":M") { continue }
      #expect(
        !line.hasPrefix("SCAN") || ["up", "down", "j", "CONSTANT"].contains(table) || line.contains("SCAN 1 CONSTANT"),
        "\(line)"
      )
      if ![.ancestors, .descendants, .searchOverflow].contains(query) {
        #expect(!line.contains("TEMP B-TREE"), "\(line)")
      }
    }
  }

  @Test("what must hold is set: WAL, synchronous=FULL, the application id") func settings() throws {
    let fixture = try Fixture()
    #expect(try fixture.store.connection.integer("PRAGMA synchronous") == 2)
    #expect(try fixture.store.connection.integer("PRAGMA application_id") == Schema.applicationID)
    let mode = try fixture.store.connection.prepare("PRAGMA journal_mode")
    #expect(try mode.step() && mode.text(0) == "wal")
  }
}
