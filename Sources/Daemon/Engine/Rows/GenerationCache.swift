/// Values that can be made again, kept up to about so many bytes: what was not asked for since half the limit came in
/// is forgotten.
///
/// Two generations instead of a list in the order of use: a value that is found in the old one moves to the young one;
/// when that has half the bytes it becomes the old one, and what was old is gone. Every operation is O(1), and none
/// writes to a value's neighbours.
struct GenerationCache<Key: Hashable, Value> {
  private struct Entry {
    var value: Value
    var bytes: Int
  }

  /// Bytes kept, at most about.
  let limit: Int
  private var young: [Key: Entry] = [:]
  private var old: [Key: Entry] = [:]
  private var youngBytes = 0

  /// An empty cache of `limit` bytes.
  init(limit: Int) { self.limit = limit }

  /// The value of `key`, which is young again; nil if it was never put in, or is forgotten.
  mutating func value(of key: Key) -> Value? {
    if let entry = young[key] { return entry.value }
    guard let entry = old.removeValue(forKey: key) else { return nil }
    put(entry, for: key)
    return entry.value
  }

  /// Puts a value of about so many bytes in, in the place of the one with its key.
  mutating func insert(_ value: Value, bytes: Int, for key: Key) {
    old[key] = nil
    put(Entry(value: value, bytes: bytes), for: key)
  }

  /// Forgets everything.
  mutating func removeAll() {
    young = [:]
    old = [:]
    youngBytes = 0
  }

  private mutating func put(_ entry: Entry, for key: Key) {
    if youngBytes > 0, youngBytes + entry.bytes > limit / 2 {
      old = young
      young = [:]
      youngBytes = 0
    }
    youngBytes += entry.bytes
    if let former = young.updateValue(entry, forKey: key) { youngBytes -= former.bytes }
  }
}
