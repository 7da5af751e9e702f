internal import CSQLite

/// A file that SQLite has open on a ``SimulatedDisk``. Methods return SQLite's result codes.
///
/// The files of a dead process fail every operation and change nothing, so that its connections can be closed.
final class OpenFile {
  private let disk: SimulatedDisk
  private let file: StoredFile
  private let process: Int
  /// The name to remove when the file is closed; nil for a permanent file.
  private let temporaryName: String?
  /// True if the next sync also makes the file's name durable.
  private var syncsNames: Bool

  /// The kernel's numbers of EIO and ENOSPC.
  private static let inputOutputError: Int32 = 5
  private static let noSpace: Int32 = 28

  init(disk: SimulatedDisk, file: StoredFile, syncsNames: Bool, temporaryName: String?) {
    self.disk = disk
    self.file = file
    self.syncsNames = syncsNames
    self.temporaryName = temporaryName
    process = disk.process
  }

  private var isAlive: Bool { process == disk.process && !disk.isDown }
  private var opener: ObjectIdentifier { ObjectIdentifier(self) }
  private var shared: SharedFile { disk.shared(file) }

  private func attempt(
    _ code: Int32, _ body: () throws(SimulatedDisk.Failure) -> Void
  ) -> Int32 {
    do throws(SimulatedDisk.Failure) {
      try body()
      return SQLITE_OK
    } catch .full {
      disk.lastSystemError = Self.noSpace
      return SQLITE_FULL
    } catch {
      disk.lastSystemError = Self.inputOutputError
      return code
    }
  }

  func close() {
    guard isAlive else { return }
    shared.leave(opener)
    if let temporaryName { disk.remove(temporaryName) }
  }

  /// Reads into `target`. Bytes beyond the end read as zeros, with the code for a short read.
  func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    let code = attempt(StoreCodes.read) { () throws(SimulatedDisk.Failure) in try disk.begin(.read, process: process) }
    guard code == SQLITE_OK else { return code }
    let available = max(0, min(target.count, file.size - offset))
    unsafe file.bytes.withUnsafeBytes { bytes in
      if available > 0 {
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + available]))
      }
    }
    guard available < target.count else { return SQLITE_OK }
    for index in available..<target.count { unsafe target[index] = 0 }
    return StoreCodes.shortRead
  }

  func write(_ bytes: [UInt8], at offset: Int) -> Int32 {
    attempt(StoreCodes.write) { () throws(SimulatedDisk.Failure) in
      try disk.write(bytes, at: offset, to: file, process: process)
    }
  }

  func truncate(to size: Int) -> Int32 {
    let code = attempt(StoreCodes.truncate) { () throws(SimulatedDisk.Failure) in
      try disk.begin(.write, process: process)
    }
    if code == SQLITE_OK { file.truncate(to: size) }
    return code
  }

  func sync() -> Int32 {
    let code = attempt(StoreCodes.sync) { () throws(SimulatedDisk.Failure) in
      try disk.sync(file, names: syncsNames, process: process)
    }
    if code == SQLITE_OK { syncsNames = false }
    return code
  }

  func size() -> Int? { isAlive ? file.size : nil }

  // MARK: Locks

  func lock(_ level: Int32) -> Int32 {
    guard isAlive, let lock = SharedFile.Lock(rawValue: level) else { return StoreCodes.lock }
    return shared.lock(lock, for: opener) ? SQLITE_OK : SQLITE_BUSY
  }

  func unlock(_ level: Int32) -> Int32 {
    guard isAlive, let lock = SharedFile.Lock(rawValue: level) else { return SQLITE_OK }
    shared.unlock(to: lock, for: opener)
    return SQLITE_OK
  }

  func isReserved() -> Bool { isAlive && shared.isReserved() }

  // MARK: Shared memory

  func region(_ index: Int32, bytes: Int32, extends: Bool) -> (code: Int32, address: UnsafeMutableRawPointer?) {
    guard isAlive else { return (StoreCodes.memoryMap, nil) }
    return unsafe (SQLITE_OK, shared.region(Int(index), bytes: Int(bytes), extends: extends))
  }

  func lockMemory(first: Int32, count: Int32, flags: Int32) -> Int32 {
    guard isAlive else { return StoreCodes.memoryLock }
    let slots = UInt8(truncatingIfNeeded: ((1 << count) - 1) << first)
    let isExclusive = flags & SQLITE_SHM_EXCLUSIVE != 0
    if flags & SQLITE_SHM_UNLOCK != 0 {
      shared.unlockMemory(slots, isExclusive: isExclusive, for: opener)
      return SQLITE_OK
    }
    return shared.lockMemory(slots, isExclusive: isExclusive, for: opener) ? SQLITE_OK : SQLITE_BUSY
  }

  func leaveMemory(deletes: Bool) {
    guard isAlive else { return }
    shared.leaveMemory(opener, deletes: deletes)
  }
}

/// SQLite's extended result codes, whose macros Swift does not import.
enum StoreCodes {
  static let read = SQLITE_IOERR | 1 << 8
  static let shortRead = SQLITE_IOERR | 2 << 8
  static let write = SQLITE_IOERR | 3 << 8
  static let sync = SQLITE_IOERR | 4 << 8
  static let truncate = SQLITE_IOERR | 6 << 8
  static let size = SQLITE_IOERR | 7 << 8
  static let delete = SQLITE_IOERR | 10 << 8
  static let lock = SQLITE_IOERR | 15 << 8
  static let memoryLock = SQLITE_IOERR | 20 << 8
  static let memoryMap = SQLITE_IOERR | 21 << 8
}
