/// A file of a ``SimulatedDisk``: its current contents, its durable contents, and the changes between them.
final class StoredFile {
  /// The unit that a disk writes atomically.
  static let sectorBytes = 512

  /// A change that is not durable yet.
  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(size: Int)
  }

  /// The page cache, as readers see it.
  private(set) var bytes: [UInt8] = []
  /// The contents on the platter.
  private var durable: [UInt8] = []
  private var unsynced: [Change] = []

  /// The size of the file.
  var size: Int { bytes.count }

  /// True if a power cut now could lose changes.
  var hasUnsyncedChanges: Bool { !unsynced.isEmpty }

  /// Writes into the page cache; a gap before `offset` reads as zeros.
  func write(_ new: [UInt8], at offset: Int) {
    StoredFile.write(new[...], at: offset, into: &bytes)
    unsynced.append(.write(offset: offset, bytes: new))
  }

  /// Truncates or extends the file in the page cache.
  func truncate(to size: Int) {
    StoredFile.truncate(&bytes, to: size)
    unsynced.append(.truncate(size: size))
  }

  /// Makes all changes durable.
  func sync() {
    for change in unsynced { StoredFile.apply(change, to: &durable) }
    unsynced = []
  }

  /// Fails to sync. Unsynced changes never become durable and yet stay readable, as on Linux, where the next fsync does
  /// not report them.
  func failToSync() { unsynced = [] }

  /// Applies a power cut: each change since the last sync is kept, lost or, for a write, torn at sectors. Returns the
  /// numbers of lost and torn ones.
  func losePower(using random: inout some RandomNumberGenerator) -> (lost: Int, torn: Int) {
    var lost = 0
    var torn = 0
    for change in unsynced {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: StoredFile.apply(change, to: &durable)
      case 1: lost += 1
      default:
        guard case .write(let offset, let new) = change else { continue }
        torn += 1
        StoredFile.tear(new, at: offset, into: &durable, using: &random)
      }
    }
    unsynced = []
    bytes = durable
    return (lost, torn)
  }

  private static func tear(
    _ new: [UInt8], at offset: Int, into bytes: inout [UInt8], using random: inout some RandomNumberGenerator
  ) {
    var start = 0
    while start < new.count {
      // Sectors are aligned to the file, wherever the write began.
      let end = min(new.count, start + sectorBytes - (offset + start) % sectorBytes)
      if Bool.random(using: &random) { write(new[start..<end], at: offset + start, into: &bytes) }
      start = end
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let new): write(new[...], at: offset, into: &bytes)
    case .truncate(let size): truncate(&bytes, to: size)
    }
  }

  private static func write(_ new: ArraySlice<UInt8>, at offset: Int, into bytes: inout [UInt8]) {
    let end = offset + new.count
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(offset..<end, with: new)
  }

  private static func truncate(_ bytes: inout [UInt8], to size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
  }
}
