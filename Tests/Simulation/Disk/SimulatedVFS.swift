internal import CSQLite

/// Registers a ``SimulatedDisk`` as one of SQLite's file systems (https://sqlite.org/vfs.html), under a unique name.
///
/// It gives SQLite the guarantees of its Unix file system: a write does not damage adjacent bytes even if the power is
/// cut (`POWERSAFE_OVERWRITE`), and a sync of a new log makes its name durable. All else is up to the disk.
@safe public final class SimulatedVFS {
  /// The name to open stores by.
  public let name: String
  private let disk: SimulatedDisk
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>
  private let cName: UnsafeMutablePointer<CChar>

  /// Registers the disk. All files on it must be closed before this object is released.
  public init(_ disk: SimulatedDisk) {
    self.disk = disk
    unsafe vfs = .allocate(capacity: 1)
    unsafe vfs.initialize(to: sqlite3_vfs())
    // The address is unique while the file system is registered.
    name = unsafe "simulated-\(UInt(bitPattern: vfs))"
    let characters = name.utf8.map { CChar(bitPattern: $0) } + [0]
    unsafe cName = .allocate(capacity: characters.count)
    for (index, character) in characters.enumerated() { unsafe cName[index] = character }
    unsafe vfs.pointee.iVersion = 1
    unsafe vfs.pointee.szOsFile = Int32(MemoryLayout<VFSFile>.size)
    unsafe vfs.pointee.mxPathname = 512
    unsafe vfs.pointee.zName = UnsafePointer(cName)
    unsafe vfs.pointee.pAppData = Unmanaged.passUnretained(disk).toOpaque()
    unsafe vfs.pointee.xOpen = onOpen
    unsafe vfs.pointee.xDelete = onDelete
    unsafe vfs.pointee.xAccess = onAccess
    unsafe vfs.pointee.xFullPathname = onFullPathname
    unsafe vfs.pointee.xRandomness = onRandomness
    unsafe vfs.pointee.xSleep = onSleep
    unsafe vfs.pointee.xCurrentTime = onCurrentTime
    unsafe vfs.pointee.xGetLastError = onGetLastError
    let code = unsafe sqlite3_vfs_register(vfs, 0)
    precondition(code == SQLITE_OK, "SQLite rejected the file system")
  }

  deinit {
    unsafe sqlite3_vfs_unregister(vfs)
    unsafe vfs.deallocate()
    unsafe cName.deallocate()
  }
}

/// SQLite's handle of a file: its own part, and a reference that keeps the object alive until the file is closed.
@unsafe private struct VFSFile {
  var base = unsafe sqlite3_file()
  var object: Unmanaged<OpenFile>?
}

private func disk(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> SimulatedDisk {
  unsafe Unmanaged<SimulatedDisk>.fromOpaque(vfs!.pointee.pAppData!).takeUnretainedValue()
}

private func open(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile {
  unsafe UnsafeMutableRawPointer(file!).assumingMemoryBound(to: VFSFile.self).pointee.object!.takeUnretainedValue()
}

// MARK: The file system's callbacks

private func onOpen(
  _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ name: sqlite3_filename?, _ file: UnsafeMutablePointer<sqlite3_file>?,
  _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
) -> Int32 {
  let disk = unsafe disk(vfs)
  let place = unsafe UnsafeMutableRawPointer(file!).bindMemory(to: VFSFile.self, capacity: 1)
  // SQLite does not close a file without methods, such as one that could not be opened.
  unsafe place.initialize(to: VFSFile())
  do throws(SimulatedDisk.Failure) {
    try disk.begin(.other, process: disk.process)
  } catch {
    return SQLITE_CANTOPEN
  }
  let isTemporary = unsafe name == nil
  let path = unsafe name.map { unsafe String(cString: $0) } ?? "temporary-\(disk.operations)"
  guard let (stored, isNew) = disk.file(path, creates: isTemporary || flags & SQLITE_OPEN_CREATE != 0) else {
    return SQLITE_CANTOPEN
  }
  let journals = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL
  let opened = OpenFile(
    disk: disk, file: stored, syncsNames: isNew && flags & journals != 0,
    temporaryName: isTemporary || flags & SQLITE_OPEN_DELETEONCLOSE != 0 ? path : nil)
  unsafe place.pointee.object = Unmanaged.passRetained(opened)
  unsafe place.pointee.base.pMethods = UnsafePointer(methods)
  unsafe outFlags?.pointee = flags
  return SQLITE_OK
}

private func onDelete(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?, _ syncs: Int32) -> Int32
{
  let disk = unsafe disk(vfs)
  do throws(SimulatedDisk.Failure) {
    try disk.begin(.other, process: disk.process)
  } catch {
    return StoreCodes.delete
  }
  unsafe disk.remove(String(cString: name!))
  if syncs != 0 { disk.syncDirectory() }
  return SQLITE_OK
}

private func onAccess(
  _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?, _ flags: Int32,
  _ result: UnsafeMutablePointer<Int32>?
) -> Int32 {
  unsafe result!.pointee = disk(vfs).contains(String(cString: name!)) ? 1 : 0
  return SQLITE_OK
}

private func onFullPathname(
  _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?, _ size: Int32,
  _ target: UnsafeMutablePointer<CChar>?
) -> Int32 {
  unsafe copyName(size, target!, name!)
}

/// Copies a name with its final zero; returns SQLITE_CANTOPEN if it does not fit.
private func copyName(
  _ size: Int32, _ target: UnsafeMutablePointer<CChar>, _ name: UnsafePointer<CChar>
) -> Int32 {
  var index = 0
  while index < Int(size) {
    unsafe target[index] = name[index]
    if unsafe name[index] == 0 { return SQLITE_OK }
    index += 1
  }
  return SQLITE_CANTOPEN
}

private func onRandomness(
  _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ size: Int32, _ target: UnsafeMutablePointer<CChar>?
) -> Int32 {
  // SQLite asks only its default file system.
  0
}

private func onSleep(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ microseconds: Int32) -> Int32 { microseconds }

private func onCurrentTime(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ time: UnsafeMutablePointer<Double>?) -> Int32 {
  // The Julian day of 2023-11-14; nothing in the store asks SQLite for the time.
  unsafe time!.pointee = 2_460_263
  return SQLITE_OK
}

private func onGetLastError(
  _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ size: Int32, _ target: UnsafeMutablePointer<CChar>?
) -> Int32 {
  unsafe disk(vfs).lastSystemError
}

// MARK: The files' callbacks

/// The method table of all files, created once and never released.
nonisolated(unsafe) private let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
  let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  unsafe methods.initialize(to: sqlite3_io_methods())
  unsafe methods.pointee.iVersion = 2
  unsafe methods.pointee.xClose = { file in
    let place = unsafe UnsafeMutableRawPointer(file!).assumingMemoryBound(to: VFSFile.self)
    unsafe open(file).close()
    unsafe place.pointee.object!.release()
    unsafe place.pointee.object = nil
    return SQLITE_OK
  }
  unsafe methods.pointee.xRead = { file, target, count, offset in
    unsafe open(file).read(UnsafeMutableRawBufferPointer(start: target, count: Int(count)), at: Int(offset))
  }
  unsafe methods.pointee.xWrite = { file, source, count, offset in
    unsafe open(file).write(Array(UnsafeRawBufferPointer(start: source, count: Int(count))), at: Int(offset))
  }
  unsafe methods.pointee.xTruncate = { file, size in unsafe open(file).truncate(to: Int(size)) }
  unsafe methods.pointee.xSync = { file, _ in unsafe open(file).sync() }
  unsafe methods.pointee.xFileSize = { file, size in
    guard let bytes = unsafe open(file).size() else { return StoreCodes.size }
    unsafe size!.pointee = Int64(bytes)
    return SQLITE_OK
  }
  unsafe methods.pointee.xLock = { file, level in unsafe open(file).lock(level) }
  unsafe methods.pointee.xUnlock = { file, level in unsafe open(file).unlock(level) }
  unsafe methods.pointee.xCheckReservedLock = { file, result in
    unsafe result!.pointee = open(file).isReserved() ? 1 : 0
    return SQLITE_OK
  }
  unsafe methods.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
  unsafe methods.pointee.xSectorSize = { _ in 4096 }
  unsafe methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
  unsafe methods.pointee.xShmMap = { file, index, size, extends, result in
    let (code, address) = unsafe open(file).region(index, bytes: size, extends: extends != 0)
    unsafe result!.pointee = unsafe address
    return code
  }
  unsafe methods.pointee.xShmLock = { file, first, count, flags in
    unsafe open(file).lockMemory(first: first, count: count, flags: flags)
  }
  unsafe methods.pointee.xShmBarrier = { _ in }
  unsafe methods.pointee.xShmUnmap = { file, deletes in
    unsafe open(file).leaveMemory(deletes: deletes != 0)
    return SQLITE_OK
  }
  return unsafe methods
}()
