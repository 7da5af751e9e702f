internal import Posts

/// The source of posts written on this daemon.
enum LocalSource {
  static let name = "stack"
}

/// Cache of source IDs, kept across the writer's transactions.
final class SourceNumbers {
  /// IDs by source name.
  var known: [String: Int64] = [:]
  /// The ID of ``LocalSource``, once known.
  var local: Int64?
}

/// Finds sources by name or ID; creates them on first use.
struct Sources {
  private let connection: Connection
  private let transaction: Transaction
  private let numbers: SourceNumbers

  init(_ connection: Connection, _ transaction: Transaction, _ numbers: SourceNumbers) {
    (self.connection, self.transaction, self.numbers) = (connection, transaction, numbers)
  }

  /// Returns the ID of the source called `name`, created on first use.
  func number(of name: String) throws(StoreError) -> Int64 {
    if let known = numbers.known[name] { return known }
    let number = if let found = try find(name) { found } else { try insert(name) }
    numbers.known[name] = number
    return number
  }

  /// Returns the ID of ``LocalSource``, created on first use.
  func local() throws(StoreError) -> Int64 {
    if let known = numbers.local { return known }
    let number = try number(of: LocalSource.name)
    numbers.local = number
    return number
  }

  /// Returns the ID of the source called `name`; nil if there is none.
  func find(_ name: String) throws(StoreError) -> Int64? { try connection.number(SourceQuery.find, name) }

  /// Returns the name of the source with this ID; nil if there is none.
  func name(of number: Int64) throws(StoreError) -> String? {
    try connection.first(SourceQuery.name, number) { $0.text(0) }
  }

  private func insert(_ name: String) throws(StoreError) -> Int64 {
    let number = try connection.insert(SourceQuery.insert, name)
    transaction.noteChange()
    return number
  }
}
