/// A cache of about `limit` bytes. A value is evicted if it is not used while half the limit of other values comes in.
///
/// It has two generations instead of a list in order of use. A value that is found in the old generation moves to the
/// young one. When the young one has half the bytes it becomes the old one, and the previous old one is dropped. Every
/// operation is O(1), and none writes to a value's neighbours.
struct GenerationCache<Key: Hashable, Value> {
  private struct Entry {
    var value: Value
    var bytes: Int
  }

  /// The approximate most bytes.
  let limit: Int
  private var young: [Key: Entry] = [:]
  private var old: [Key: Entry] = [:]
  private var youngBytes = 0

  /// Creates an empty cache of `limit` bytes.
  init(limit: Int) { self.limit = limit }

  /// Returns the value of `key` and makes it young; nil if it is not in the cache.
  mutating func value(of key: Key) -> Value? {
    if let entry = young[key] { return entry.value }
    guard let entry = old.removeValue(forKey: key) else { return nil }
    put(entry, for: key)
    return entry.value
  }

  /// Inserts a value of about `bytes` bytes, replacing any value with the same key.
  mutating func insert(_ value: Value, bytes: Int, for key: Key) {
    old[key] = nil
    put(Entry(value: value, bytes: bytes), for: key)
  }

  /// Removes all values.
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
