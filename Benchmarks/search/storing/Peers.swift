import Measuring
@testable import Store

/// Measures the same texts in plain tables, with SQLite's own tokenizer and without one.
struct Peers {
  private let connection: Connection
  private let corpus: Corpus
  private let count: Int

  init(_ folder: String, _ corpus: Corpus, _ count: Int) throws {
    connection = try Connection(path: "\(folder)/peers.db", access: .readWrite, vfs: nil)
    try connection.configure(cacheKiB: StoreReader.cacheKiB)
    try connection.execute(
      """
      CREATE TABLE texts (id INTEGER PRIMARY KEY, created_at INTEGER NOT NULL, text TEXT NOT NULL);
      CREATE VIRTUAL TABLE words USING fts5 (text, content = 'texts', content_rowid = 'id', tokenize = 'unicode61');
      """)
    self.corpus = corpus
    self.count = count
  }

  func run() throws {
    try fill("INSERT INTO texts VALUES (?1, ?1, ?2)", "LIKE: store a text")
    try fill("INSERT INTO words (rowid, text) VALUES (?1, ?2)", "unicode61: index a text")
    printFigure(
      "unicode61: index a post (bytes)",
      Double(try connection.integer("SELECT sum(length(block)) FROM words_data")) / Double(count))
    for (name, sql) in [
      (
        "unicode61: a common word",
        "SELECT t.text FROM words w CROSS JOIN texts t ON t.id = w.rowid WHERE words MATCH 'the' "
          + "ORDER BY w.rowid DESC LIMIT 400"
      ),
      ("LIKE: a common word", "SELECT text FROM texts WHERE text LIKE '%the%' ORDER BY id DESC LIMIT 400"),
      (
        "unicode61: a rare word",
        "SELECT t.text FROM words w CROSS JOIN texts t ON t.id = w.rowid WHERE words MATCH 'tokyozz' "
          + "ORDER BY w.rowid DESC LIMIT 400"
      ),
      ("LIKE: a rare word", "SELECT text FROM texts WHERE text LIKE '%tokyozz%' ORDER BY id DESC LIMIT 400"),
    ] {
      let statement = try connection.prepare(sql)
      for _ in 0..<Storing.repetitions {
        let began = wallSeconds()
        while try statement.step() { _ = statement.bytes(0) }
        printFigure("\(name): 400 hits ms (wall)", (wallSeconds() - began) * 1e3)
        statement.reset()
      }
    }
  }

  private func fill(_ sql: String, _ name: String) throws {
    let statement = try connection.prepare(sql)
    var cpu = 0.0
    for start in stride(from: 0, to: count, by: Storing.batch) {
      let texts = (start..<min(count, start + Storing.batch)).map { ($0, Storing.text(corpus, $0).utf8) }
      let before = cpuSeconds()
      try connection.run(.begin)
      for (index, text) in texts {
        defer { statement.reset() }
        statement.bind(1, Int64(index))
        statement.bind(2, text: text)
        _ = try statement.step()
      }
      try connection.run(.commit)
      cpu += cpuSeconds() - before
    }
    printFigure(name, cpu / Double(count) * 1e9)
  }
}
