/// A value that can be bound to a parameter of a statement.
protocol Bindable {
  /// Binds the value to a parameter, numbered from 1.
  func bind(to statement: Statement, at index: Int32)
}

extension Int64: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension Int: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, Int64(self)) }
}

extension Bool: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, self ? 1 : 0) }
}

/// Bound as TEXT.
extension String: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, text: self) }
}

/// Bound as BLOB.
extension [UInt8]: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, blob: self) }
}

/// UTF-8 bytes, bound as TEXT.
struct TextBytes: Bindable {
  let bytes: [UInt8]
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, text: bytes) }
}

/// Nil is bound as NULL.
extension Optional: Bindable where Wrapped: Bindable {
  func bind(to statement: Statement, at index: Int32) {
    if let self { self.bind(to: statement, at: index) } else { statement.bindNull(index) }
  }
}

extension Bindable where Self: RawRepresentable, RawValue == Int64 {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, rawValue) }
}
