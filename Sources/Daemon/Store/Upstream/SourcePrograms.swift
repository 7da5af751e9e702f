internal import Posts

/// The sources whose programs speak protocol 2, and what each carries out; cached across the writer's
/// transactions. A source is known from its program's first hello on.
final class SourcePrograms {
  /// What a program carries out, as bits of the column `commands`.
  private typealias Abilities = Int64
  /// The bits of direct posts and of files; the others are numbered by ``OutboxEntry/Operation``.
  private static let directPosts: Abilities = 1 << 32
  private static let media: Abilities = 1 << 33

  private let connection: Connection
  private var abilities: [Int64: Abilities]?

  init(_ connection: Connection) { self.connection = connection }

  /// Returns true if a source has a program that speaks protocol 2.
  func speak(for source: Int64) throws(StoreError) -> Bool { try known()[source] != nil }

  /// Returns true if the program of a source carries out an operation. One that has never said which is taken to carry
  /// out all that protocol 1 has.
  func carryOut(_ operation: OutboxEntry.Operation, at source: Int64) throws(StoreError) -> Bool {
    try known()[source].map { $0 & 1 << operation.rawValue != 0 } ?? ![.edit, .save].contains(operation)
  }

  /// Returns true if the program of a source takes direct posts.
  func takesDirectPosts(at source: Int64) throws(StoreError) -> Bool {
    (try known()[source] ?? 0) & Self.directPosts != 0
  }

  /// Returns true if the program of a source takes files for posts.
  func takesMedia(at source: Int64) throws(StoreError) -> Bool { (try known()[source] ?? 0) & Self.media != 0 }

  /// Records what the program of a source carries out.
  func save(_ hello: UpstreamHello, at source: Int64) throws(StoreError) {
    let words = (hello.takesDirectPosts ? Self.directPosts : 0) | (hello.takesMedia ? Self.media : 0)
    let bits = hello.operations.reduce(words) { $0 | 1 << $1.rawValue }
    guard try known()[source] != bits else { return }
    try connection.run(UpstreamQuery.saveProgram, source, bits)
    abilities = nil
  }

  private func known() throws(StoreError) -> [Int64: Abilities] {
    if let abilities { return abilities }
    let stored = try connection.rows(UpstreamQuery.programs) { ($0.integer(0), $0.integer(1)) }
    let known = Dictionary(uniqueKeysWithValues: stored)
    abilities = known
    return known
  }
}

extension UpstreamHello {
  /// The operations that the program carries out.
  fileprivate var operations: Set<OutboxEntry.Operation> {
    Set(OutboxEntry.Operation.allCases.filter { commands.contains(UpstreamCommand.Action($0, true)) })
  }
}
