internal import Dates
internal import Posts

extension PostID: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, rawValue) }
}

extension AuthorID: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, rawValue) }
}

extension AccountID: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, rawValue) }
}

extension ListID: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, rawValue) }
}

extension AudienceGroupID: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, rawValue) }
}

extension Instant: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, milliseconds) }
}

extension Audience: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, number) }
}

extension SafeText: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, text: utf8) }
}

extension PackedBody: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, blob: bytes) }
}

extension PostMarks: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, blob: bytes) }
}

extension Visibility: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, Int64(rawValue)) }

  /// Reads the column `visibility`; an unknown value is read as the narrowest.
  init(column: Int64) { self = Visibility(rawValue: UInt8(truncatingIfNeeded: column)) ?? .direct }
}

extension SeenSection: Bindable {}
extension OutboxEntry.Operation: Bindable {}
