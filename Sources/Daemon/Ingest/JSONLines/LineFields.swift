internal import Posts

/// Fields of a line of Stack's own format. A field of the wrong type is an error of the line: it is never read as if it
/// were missing.
extension JSONValue {
  /// Returns the string in field `key`; nil if there is none.
  func stringField(_ key: StaticString) throws(SkipReason) -> Bytes? {
    guard let field = self[key] else { return nil }
    guard let bytes = field.bytes else { throw field.mistyped(key, "a string") }
    return bytes
  }

  /// Returns the string in field `key` as text of one line; empty if there is none.
  func lineField(_ key: StaticString) throws(SkipReason) -> SafeText {
    try stringField(key).map { SafeText(wellFormedLine: $0) } ?? .empty
  }

  /// Returns the ID in field `key`, a string or a whole number; nil if there is none or it is empty.
  func idField(_ key: StaticString) throws(SkipReason) -> String? {
    if let field = self[key], field.id == nil { throw field.mistyped(key, "a string") }
    return try nativeID(key)
  }

  /// Returns the elements of the list in field `key`; none if there is no such field.
  func listField(_ key: StaticString) throws(SkipReason) -> Elements {
    guard let field = self[key] else { return .none }
    guard field.isArray else { throw field.mistyped(key, "a list") }
    return field.elements
  }

  /// Returns the object in field `key`; nil if there is none.
  func objectField(_ key: StaticString) throws(SkipReason) -> JSONValue? {
    guard let field = self[key] else { return nil }
    guard field.isObject else { throw field.mistyped(key, "an object") }
    return field
  }

  /// Returns the reason to skip a line in which this value of field `key` is not `wanted`.
  func mistyped(_ key: StaticString, _ wanted: String) -> SkipReason {
    SkipReason("\(key) is \(typeName), not \(wanted)")
  }

  /// The type with its article, for a message.
  private var typeName: String {
    if isObject { return "an object" }
    if isArray { return "a list" }
    if bytes != nil { return "a string" }
    return bool == nil ? "a number" : "true or false"
  }
}

extension LineDecoder {
  /// Returns the reason why `value` is not a line of the format although it has some of its fields: the first that is
  /// missing. Nil if it has all of them, or looks like something else.
  static func missingField(of value: JSONValue) -> String? {
    let hasText = value["text"] != nil || value["original"] != nil
    guard value.isObject, value["user"] == nil, hasText || value["author"] != nil else { return nil }
    if !hasText { return "it has no text" }
    for field in ["author", "created_at"] as [StaticString] where value[field] == nil { return "it has no \(field)" }
    return nil
  }
}
