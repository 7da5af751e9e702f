internal import Posts

/// The source of what is written on this daemon.
enum LocalSource {
  static let name = "stack"
}

/// The numbers of sources that the writer has met; kept from one transaction to the next.
final class SourceNumbers {
  /// By name.
  var known: [String: Int64] = [:]
  /// That of ``LocalSource``, once asked for.
  var local: Int64?
}

/// Sources by name and number, made on first use.
struct Sources {
  private let connection: Connection
  private let transaction: Transaction
  private let numbers: SourceNumbers

  init(_ connection: Connection, _ transaction: Transaction, _ numbers: SourceNumbers) {
    (self.connection, self.transaction, self.numbers) = (connection, transaction, numbers)
  }

  /// The number of the source called `name`, made on first use.
  func number(of name: String) throws(StoreError) -> Int64 {
    if let known = numbers.known[name] { return known }
    let number = if let found = try find(name) { found } else { try insert(name) }
    numbers.known[name] = number
    return number
  }

  /// The number of ``LocalSource``, made on first use.
  func local() throws(StoreError) -> Int64 {
    if let known = numbers.local { return known }
    let number = try number(of: LocalSource.name)
    numbers.local = number
    return number
  }

  /// The number of the source called `name`, if there is one.
  func find(_ name: String) throws(StoreError) -> Int64? { try connection.number(SourceQuery.find, name) }

  /// The name of the source with this number, if there is one.
  func name(of number: Int64) throws(StoreError) -> String? {
    try connection.first(SourceQuery.name, number) { $0.text(0) }
  }

  private func insert(_ name: String) throws(StoreError) -> Int64 {
    let number = try connection.insert(SourceQuery.insert, name)
    transaction.noteChange()
    return number
  }
}
