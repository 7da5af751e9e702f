import Glibc
import Testing

@testable import Store

@Suite("Tables and query plans")
struct SchemaTests {
  static let queries: [Query] = [
    AccountQuery.queries, AuthorQuery.queries, AudienceGroupQuery.queries, DraftQuery.queries, EntryQuery.queries,
    ExportQuery.queries, FollowQuery.queries, FollowRequestQuery.queries, GapQuery.queries, HitQuery.queries,
    ImportRunQuery.queries,
    IdentityQuery.queries,
    IndexQuery.queries, ListQuery.queries, ListedQuery.queries, MadeListQuery.queries, MetaQuery.queries,
    MuteQuery.queries, OutboxQuery.queries, PageQuery.queries, PostQuery.queries, PostRowQuery.queries,
    ReplyQuery.queries, RequestQuery.queries, SeenQuery.queries, SessionQuery.queries, SourceQuery.queries,
    TallyQuery.queries, TokenQuery.queries, DeletedPostQuery.queries, UndoQuery.queries, UpstreamQuery.queries,
    FeedQuery.queries, RetentionQuery.queries, TwinQuery.queries, FetchQuery.queries, MarkerQuery.queries,
  ].flatMap { $0 }

  /// Queries that may sort, because their results are bounded, or are the names of one post.
  private static let sorting = [
    PostQuery.ancestors, PostQuery.descendants, HitQuery.overflow, OutboxQuery.aliases,
  ].map(\.slot)

  @Test("no query scans a table or sorts a timeline", arguments: queries)
  func plan(query: Query) throws {
    let fixture = try Fixture()
    let statement = try fixture.store.database.prepare("EXPLAIN QUERY PLAN \(query.sql)")
    var lines: [String] = []
    while try statement.step() { lines.append(statement.text(3)) }
    for line in lines {
      let table = line.split(separator: " ").dropFirst().first ?? ""
      // These are not table scans: recursive queries, the values of an array ("j"). FTS5 is asked for matches ("M")
      // under its own name.
      if line.hasPrefix("SCAN search VIRTUAL TABLE INDEX"), line.contains(":M") { continue }
      #expect(
        !line.hasPrefix("SCAN") || ["up", "down", "j", "CONSTANT"].contains(table) || line.contains("SCAN 1 CONSTANT"),
        "\(line)"
      )
      if !Self.sorting.contains(query.slot) { #expect(!line.contains("TEMP B-TREE"), "\(line)") }
    }
  }

  @Test("each query has its own slot and is in the list of its feature")
  func listed() throws {
    #expect(Set(Self.queries.map(\.slot)).count == Self.queries.count)
    let root = "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
    let search = "grep -rh ' = Query(' '\(root)/Sources/Daemon/Store' | wc -l"
    let output = unsafe try #require(unsafe popen(search, "r"))
    defer { unsafe pclose(output) }
    var digits: [UInt8] = []
    while case let byte = unsafe fgetc(output), byte != EOF { digits.append(UInt8(truncatingIfNeeded: byte)) }
    let declared = Int(String(decoding: digits, as: UTF8.self).filter(\.isNumber))
    // The others are BEGIN, COMMIT and the like.
    #expect(declared == Self.queries.count + 4)
  }

  @Test("WAL, synchronous=FULL and the application ID are set") func settings() throws {
    let fixture = try Fixture()
    #expect(try fixture.store.database.integer("PRAGMA synchronous") == 2)
    #expect(try fixture.store.database.integer("PRAGMA application_id") == Schema.applicationID)
    let mode = try fixture.store.database.prepare("PRAGMA journal_mode")
    #expect(try mode.step() && mode.text(0) == "wal")
  }
}
