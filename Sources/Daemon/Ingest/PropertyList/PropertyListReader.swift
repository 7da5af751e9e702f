internal import CPlist
internal import Dates

/// Converts a property list, XML or binary, to the JSON of its items, so that one decoder reads tweets from both.
///
/// Owns libplist's tree for the duration of ``items(of:)``. Uses libplist because Foundation would cost the daemon 12
/// MB.
enum PropertyListReader {
  /// Returns the items: the elements of the root array, or of the arrays in the root dictionary, or the root dictionary
  /// itself.
  static func items(of bytes: [UInt8]) throws(SkipReason) -> [[UInt8]] {
    if let objection = PropertyListGuard.objection(to: bytes) { throw SkipReason(objection) }
    var parsed: plist_t?
    unsafe bytes.withUnsafeBytes { buffer in
      let start = unsafe buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
      unsafe plist_from_memory(start, UInt32(buffer.count), &parsed)
    }
    guard let root = unsafe parsed else { throw SkipReason("the property list is damaged") }
    defer { unsafe plist_free(root) }
    switch unsafe plist_get_node_type(root) {
    case PLIST_ARRAY: return unsafe elements(of: root)
    case PLIST_DICT:
      let lists = unsafe fields(of: root).filter { unsafe plist_get_node_type($0.value) == PLIST_ARRAY }
      let items = unsafe lists.flatMap { unsafe elements(of: $0.value) }
      return items.isEmpty ? [unsafe json(of: root)] : items
    default: throw SkipReason("the property list is neither an array nor a dictionary")
    }
  }

  @unsafe private static func elements(of array: plist_t) -> [[UInt8]] {
    var items: [[UInt8]] = []
    unsafe forEach(of: array) { items.append(unsafe json(of: $0)) }
    return items
  }

  @unsafe private static func json(of node: plist_t) -> [UInt8] {
    var writer = JSONLinesWriter()
    unsafe write(node, to: &writer)
    return writer.bytes
  }

  // MARK: - Nodes

  /// Calls `body` with each element of an array; the tree still owns them.
  @unsafe private static func forEach(of array: plist_t, _ body: (plist_t) -> Void) {
    var iterator: plist_array_iter?
    unsafe plist_array_new_iter(array, &iterator)
    defer { unsafe cplist_free(iterator) }
    while true {
      var item: plist_t?
      unsafe plist_array_next_item(array, iterator, &item)
      guard let item = unsafe item else { return }
      unsafe body(item)
    }
  }

  /// Returns the fields of a dictionary; the tree still owns the values.
  @unsafe private static func fields(of dictionary: plist_t) -> [(key: [UInt8], value: plist_t)] {
    var iterator: plist_dict_iter?
    unsafe plist_dict_new_iter(dictionary, &iterator)
    defer { unsafe cplist_free(iterator) }
    var fields: [(key: [UInt8], value: plist_t)] = unsafe []
    while true {
      var key: UnsafeMutablePointer<CChar>?
      var value: plist_t?
      unsafe plist_dict_next_item(dictionary, iterator, &key, &value)
      guard let value = unsafe value else { return unsafe fields }
      // The key is a copy that the caller owns.
      let name = unsafe key.map { Array(unsafe String(cString: $0).utf8) } ?? []
      unsafe cplist_free(key)
      unsafe fields.append((name, value))
    }
  }

  /// Writes a node as JSON. Recursion ends at ``PropertyListGuard/maximumDepth``. Binary data, which tweets do not
  /// contain, becomes null.
  @unsafe private static func write(_ node: plist_t, to writer: inout JSONLinesWriter) {
    switch unsafe plist_get_node_type(node) {
    case PLIST_BOOLEAN:
      var value: UInt8 = 0
      unsafe plist_get_bool_val(node, &value)
      writer.bytes += Array((value == 0 ? "false" : "true").utf8)
    case PLIST_UINT:
      var value: UInt64 = 0
      unsafe plist_get_uint_val(node, &value)
      writer.bytes += Array(String(value).utf8)
    case PLIST_REAL:
      var value = 0.0
      unsafe plist_get_real_val(node, &value)
      writer.bytes += Array((value.isFinite ? "\(value)" : "null").utf8)
    case PLIST_STRING:
      writer.string(unsafe text(of: node))
    case PLIST_DATE:
      var seconds: Int32 = 0
      var microseconds: Int32 = 0
      unsafe plist_get_date_val(node, &seconds, &microseconds)
      writer.instant(Instant(milliseconds: (Int64(seconds) + epoch) * 1000 + Int64(microseconds) / 1000))
    case PLIST_ARRAY:
      unsafe writeArray(node, to: &writer)
    case PLIST_DICT:
      unsafe writeDictionary(node, to: &writer)
    default:
      writer.bytes += Array("null".utf8)
    }
  }

  /// The epoch of property lists, 2001-01-01T00:00:00Z, in seconds since 1970.
  private static let epoch: Int64 = 978_307_200

  @unsafe private static func writeArray(_ node: plist_t, to writer: inout JSONLinesWriter) {
    writer.bytes.append(UInt8(ascii: "["))
    var isFirst = true
    unsafe forEach(of: node) { item in
      if !isFirst { writer.bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      unsafe write(item, to: &writer)
    }
    writer.bytes.append(UInt8(ascii: "]"))
  }

  @unsafe private static func writeDictionary(_ node: plist_t, to writer: inout JSONLinesWriter) {
    let fields = unsafe fields(of: node)
    writer.object { writer in
      for index in unsafe fields.indices {
        writer.field(unsafe fields[index].key) { unsafe write(fields[index].value, to: &$0) }
      }
    }
  }

  /// Returns a string's bytes as well-formed UTF-8.
  @unsafe private static func text(of node: plist_t) -> [UInt8] {
    var length: UInt64 = 0
    guard let start = unsafe plist_get_string_ptr(node, &length) else { return [] }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(length))
    return unsafe Array(String(decoding: bytes, as: UTF8.self).utf8)
  }
}
