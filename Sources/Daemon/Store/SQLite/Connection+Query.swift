/// Runs queries. Values are bound in order, and the statement is reset before a method returns.
extension Connection {
  /// Runs a query that returns no rows.
  func run<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    _ = try statement.step()
  }

  /// Runs an INSERT that returns the ID of its row.
  func insert<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Int64 {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    _ = try statement.step()
    return statement.integer(0)
  }

  /// Runs a query; returns true if it changed a row.
  func change<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Bool {
    try run(query, repeat each values)
    return changes > 0
  }

  /// Returns all rows.
  func rows<each Value: Bindable, Row>(
    _ query: Query, _ values: repeat each Value, read: (Statement) -> Row
  ) throws(StoreError) -> [Row] {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    var rows: [Row] = []
    while try statement.step() { rows.append(read(statement)) }
    return rows
  }

  /// Returns the first row; nil if there is none.
  func first<each Value: Bindable, Row>(
    _ query: Query, _ values: repeat each Value, read: (Statement) -> Row
  ) throws(StoreError) -> Row? {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    return try statement.step() ? read(statement) : nil
  }

  /// Returns true if there is a row.
  func hasRow<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Bool {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    return try statement.step()
  }

  /// Returns the number of rows; steps through all of them.
  func rowCount<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Int {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    var count = 0
    while try statement.step() { count += 1 }
    return count
  }

  /// Returns the number in the first column of the first row; nil if there is no row.
  func number<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Int64? {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Returns the number in the first column of the first row; 0 if there is no row.
  func count<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Int {
    Int(try number(query, repeat each values) ?? 0)
  }

  /// Returns true if the number in the first column of the first row is not 0.
  func flag<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Bool {
    try number(query, repeat each values) ?? 0 != 0
  }

  /// Runs `body` so that all its reads see one state of the store.
  func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    if isInTransaction { return try body() }
    try run(.beginReading)
    do throws(StoreError) {
      let result = try body()
      try run(.commit)
      return result
    } catch {
      if isInTransaction { try? run(.rollback) }
      throw error
    }
  }

  /// Returns the statement of a query with its values bound. The caller steps through it and resets it.
  func bound<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Statement {
    let statement = try statement(query)
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      value.bind(to: statement, at: index)
    }
    return statement
  }
}
