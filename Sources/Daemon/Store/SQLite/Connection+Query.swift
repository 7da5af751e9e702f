/// How features run their queries. Values are bound in order; the statement is reset before a method returns.
extension Connection {
  /// Runs a query of which no row is asked.
  func run<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    _ = try statement.step()
  }

  /// Runs an INSERT that returns the number of its row.
  func insert<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Int64 {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    _ = try statement.step()
    return statement.integer(0)
  }

  /// Runs a query and returns whether it changed a row.
  func change<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Bool {
    try run(query, repeat each values)
    return changes > 0
  }

  /// All rows.
  func rows<each Value: Bindable, Row>(
    _ query: Query, _ values: repeat each Value, read: (Statement) -> Row
  ) throws(StoreError) -> [Row] {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    var rows: [Row] = []
    while try statement.step() { rows.append(read(statement)) }
    return rows
  }

  /// The first row, if there is one.
  func first<each Value: Bindable, Row>(
    _ query: Query, _ values: repeat each Value, read: (Statement) -> Row
  ) throws(StoreError) -> Row? {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    return try statement.step() ? read(statement) : nil
  }

  /// Whether there is a row.
  func hasRow<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Bool {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    return try statement.step()
  }

  /// How many rows there are; goes through all of them.
  func rowCount<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Int {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    var count = 0
    while try statement.step() { count += 1 }
    return count
  }

  /// The number in the first column of the first row; nil where there is no row.
  func number<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Int64? {
    let statement = try bound(query, repeat each values)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The number in the first column of the first row; 0 where there is no row.
  func count<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Int {
    Int(try number(query, repeat each values) ?? 0)
  }

  /// Whether the number in the first column of the first row is another than 0.
  func flag<each Value: Bindable>(_ query: Query, _ values: repeat each Value) throws(StoreError) -> Bool {
    try number(query, repeat each values) ?? 0 != 0
  }

  /// All that `body` reads is of one state of the store.
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

  /// The statement of a query with its values bound; the caller steps through it and resets it.
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
