internal import Posts

/// The sources whose programs speak protocol 2, and the operations that each carries out; cached across the writer's
/// transactions. A source is known from its program's first hello on.
final class SourcePrograms {
  private let connection: Connection
  private var operations: [Int64: Set<OutboxEntry.Operation>]?

  init(_ connection: Connection) { self.connection = connection }

  /// Returns true if a source has a program that speaks protocol 2.
  func speak(for source: Int64) throws(StoreError) -> Bool { try known()[source] != nil }

  /// Returns true if the program of a source carries out an operation. One that has never said which is taken to carry
  /// out all that protocol 1 has.
  func carryOut(_ operation: OutboxEntry.Operation, at source: Int64) throws(StoreError) -> Bool {
    try known()[source]?.contains(operation) ?? (operation != .edit)
  }

  /// Records what the program of a source carries out.
  func save(_ operations: Set<OutboxEntry.Operation>, at source: Int64) throws(StoreError) {
    guard try known()[source] != operations else { return }
    try connection.run(UpstreamQuery.saveProgram, source, operations.reduce(0) { $0 | 1 << $1.rawValue } as Int64)
    self.operations = nil
  }

  private func known() throws(StoreError) -> [Int64: Set<OutboxEntry.Operation>] {
    if let operations { return operations }
    let stored = try connection.rows(UpstreamQuery.programs) { ($0.integer(0), $0.integer(1)) }
    let known = Dictionary(
      uniqueKeysWithValues: stored.map { source, bits in
        (source, Set(OutboxEntry.Operation.allCases.filter { bits & 1 << $0.rawValue != 0 }))
      })
    operations = known
    return known
  }
}

extension UpstreamHello {
  /// The operations that the program carries out.
  var operations: Set<OutboxEntry.Operation> {
    Set(OutboxEntry.Operation.allCases.filter { commands.contains(UpstreamCommand.Action($0, true)) })
  }
}
