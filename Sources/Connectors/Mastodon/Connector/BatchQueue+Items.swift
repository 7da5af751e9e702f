internal import ConnectorSupport

extension BatchQueue {
  /// The most items of a batch, and about the most bytes of its line.
  private static let itemLimit = 500
  private static let byteLimit = 512 << 10

  /// Adds items of a login in batches; the cursors go with the last, whose number is returned.
  @discardableResult
  mutating func add(_ items: [[UInt8]], _ cursors: [String: String], of login: String) -> Int {
    var rest = items[...]
    var number = 0
    repeat {
      var count = 0
      var bytes = 0
      while count < min(rest.count, Self.itemLimit) {
        bytes += rest[rest.startIndex + count].count
        if count > 0, bytes > Self.byteLimit { break }
        count += 1
      }
      let part = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      let isLast = rest.isEmpty
      number = add(login) { MastodonLine.batch($0, login, items: part, cursors: isLast ? cursors : [:]) }
    } while !rest.isEmpty
    return number
  }
}
