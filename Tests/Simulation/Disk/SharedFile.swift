/// The state shared by all openers of a file: locks, and the shared memory of a database in WAL mode.
@safe final class SharedFile {
  /// SQLite's locks on a database (https://sqlite.org/lockingv3.html), by rank.
  enum Lock: Int32, Comparable {
    case none, shared, reserved, pending, exclusive

    static func < (left: Lock, right: Lock) -> Bool { left.rawValue < right.rawValue }
  }

  /// An opener's locks on the shared memory, one bit for each of eight slots.
  struct MemoryLocks {
    var shared: UInt8 = 0
    var exclusive: UInt8 = 0
  }

  private var locks: [ObjectIdentifier: Lock] = [:]
  private var memoryLocks: [ObjectIdentifier: MemoryLocks] = [:]
  private var regions: [UnsafeMutableRawPointer] = unsafe []

  deinit { releaseMemory() }

  // MARK: Locks on the file

  /// Acquires a lock for `opener`. Returns false if other openers' locks conflict.
  func lock(_ wanted: Lock, for opener: ObjectIdentifier) -> Bool {
    guard wanted > locks[opener] ?? .none else { return true }
    let others = locks.lazy.filter { $0.key != opener }.map(\.value).max() ?? .none
    switch wanted {
    case .none: break
    case .shared: if others >= .pending { return false }
    case .reserved: if others >= .reserved { return false }
    case .pending, .exclusive:
      if others >= .reserved { return false }
      if others >= .shared {
        locks[opener] = .pending
        return false
      }
    }
    locks[opener] = wanted
    return true
  }

  /// Lowers the lock of `opener`.
  func unlock(to lock: Lock, for opener: ObjectIdentifier) { locks[opener] = lock == .none ? nil : lock }

  /// Returns true if any opener is about to write.
  func isReserved() -> Bool { locks.values.contains { $0 >= .reserved } }

  // MARK: Memory

  /// Returns the address of a region of the memory, zeroed if new; nil if it does not exist and `extends` is false.
  func region(_ index: Int, bytes: Int, extends: Bool) -> UnsafeMutableRawPointer? {
    while unsafe regions.count <= index {
      guard extends else { return nil }
      let region = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
      unsafe region.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
      unsafe regions.append(region)
    }
    return unsafe regions[index]
  }

  /// Locks slots. Returns false if other openers' locks conflict.
  func lockMemory(_ slots: UInt8, isExclusive: Bool, for opener: ObjectIdentifier) -> Bool {
    for (other, held) in memoryLocks where other != opener {
      if held.exclusive & slots != 0 || (isExclusive && held.shared & slots != 0) { return false }
    }
    if isExclusive {
      memoryLocks[opener, default: MemoryLocks()].exclusive |= slots
    } else {
      memoryLocks[opener, default: MemoryLocks()].shared |= slots
    }
    return true
  }

  /// Unlocks slots.
  func unlockMemory(_ slots: UInt8, isExclusive: Bool, for opener: ObjectIdentifier) {
    if isExclusive {
      memoryLocks[opener]?.exclusive &= ~slots
    } else {
      memoryLocks[opener]?.shared &= ~slots
    }
  }

  /// Removes the locks of an opener that has closed the file.
  func leave(_ opener: ObjectIdentifier) {
    locks[opener] = nil
    memoryLocks[opener] = nil
  }

  /// Removes an opener's locks on the memory, and releases the memory if `deletes`.
  func leaveMemory(_ opener: ObjectIdentifier, deletes: Bool) {
    memoryLocks[opener] = nil
    guard deletes else { return }
    releaseMemory()
  }

  private func releaseMemory() {
    while let region = unsafe regions.popLast() { unsafe region.deallocate() }
  }
}
