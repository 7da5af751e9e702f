internal import TestSupport

/// A disk in memory that does what disks do when they are at their worst, as a seed decides: it forgets what was not
/// synced when the power goes, tears what was being written, runs full, fails and is slow.
///
/// One process at a time has it; its files are opened by ``SimulatedVFS``. Not thread-safe.
public final class SimulatedDisk {
  /// Why the disk did not do something.
  enum Failure: Error {
    /// There is no room.
    case full
    /// The medium or the kernel failed.
    case inputOutput
    /// The power is cut, or the process that asks is dead.
    case down
  }

  /// What is done to a disk.
  enum Operation {
    case read
    case write
    case sync
    case other
  }

  /// How often an operation fails with an I/O error: of 1,000.
  public struct ErrorRates: Sendable {
    public var reads = 0
    public var writes = 0
    public var syncs = 0

    /// A disk that is well.
    public init() {}
  }

  /// How often each fault has happened.
  public struct Counts: Sendable {
    public var powerCuts = 0
    public var lostWrites = 0
    public var tornWrites = 0
    public var lostNames = 0
    public var fullWrites = 0
    public var readErrors = 0
    public var writeErrors = 0
    public var syncErrors = 0

    init() {}
  }

  /// Bytes that all files together may have; nil for any number.
  public var capacityBytes: Int?
  /// How often operations fail.
  public var errorRates = ErrorRates()
  /// What has gone wrong so far.
  public private(set) var counts = Counts()
  /// Told of everything that is done to the disk and of what comes of it; for traces.
  public var onEvent: ((String) -> Void)?
  /// Operations that are still carried out before the power goes; nil while it stays on.
  public var operationsUntilPowerCut: Int?
  /// Whether the power is cut: everything fails until ``restart()``.
  public private(set) var isDown = false
  /// Time that operations took since the last ``takeElapsed()``.
  private var elapsed = Duration.zero
  /// The errno of the last failure.
  var lastSystemError: Int32 = 0
  /// Operations so far.
  public private(set) var operations = 0

  /// Microseconds that an operation takes at most, by its kind; a disk may be a thousand times slower than another.
  private let slowness: (read: Int, write: Int, sync: Int)
  private var random: SeededGenerator
  /// The directory, as processes see it.
  private var names: [String: StoredFile] = [:]
  /// The directory on the platter.
  private var durableNames: [String: StoredFile] = [:]
  /// Names that were made or removed since the directory was synced, in their order.
  private var unsyncedNames: [(name: String, file: StoredFile?)] = []
  /// What the files' openers share, by file.
  private var shared: [ObjectIdentifier: SharedFile] = [:]
  /// The process that has the disk; handles of earlier ones are dead.
  private(set) var process = 0

  /// An empty disk.
  public init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let factor = [1, 1, 10, 50].randomElement(using: &random)!
    slowness = (read: 20 * factor, write: 40 * factor, sync: 400 * factor)
  }

  /// Another disk that is well, with the files as processes see them.
  func copy() -> SimulatedDisk {
    let copy = SimulatedDisk(seed: 0)
    for (name, file) in names {
      let copied = StoredFile()
      copied.write(file.bytes, at: 0)
      copy.names[name] = copied
    }
    return copy
  }

  // MARK: Faults

  /// Kills the process and cuts the power: what was not synced is kept, lost or torn, by the seed.
  public func cutPower() {
    isDown = true
    counts.powerCuts += 1
    operationsUntilPowerCut = nil
    losePower()
  }

  /// Kills the process; the kernel lives on and loses nothing.
  public func killProcess() {
    isDown = true
    operationsUntilPowerCut = nil
  }

  /// Has a new process begin. Handles and locks of the one before are void.
  public func restart() {
    isDown = false
    process += 1
    shared = [:]
    elapsed = .zero
  }

  private func losePower() {
    // A journalling file system keeps the order of what happens to names: some of the last are lost.
    let kept = Int.random(in: 0...unsyncedNames.count, using: &random)
    counts.lostNames += unsyncedNames.count - kept
    for change in unsyncedNames[..<kept] { durableNames[change.name] = change.file }
    unsyncedNames = []
    names = durableNames
    for name in names.keys.sorted() {
      let damage = names[name]!.losePower(using: &random)
      counts.lostWrites += damage.lost
      counts.tornWrites += damage.torn
    }
  }

  /// The time that operations took since this was last asked.
  public func takeElapsed() -> Duration {
    defer { elapsed = .zero }
    return elapsed
  }

  // MARK: Names

  /// Whether there is a file.
  func contains(_ name: String) -> Bool { names[name] != nil }

  /// The file called `name`; made if it is missing and `creates`.
  func file(_ name: String, creates: Bool) -> (file: StoredFile, isNew: Bool)? {
    if let file = names[name] { return (file, false) }
    guard creates else { return nil }
    let file = StoredFile()
    names[name] = file
    unsyncedNames.append((name, file))
    return (file, true)
  }

  /// Removes a name; who has the file open keeps it.
  func remove(_ name: String) {
    names[name] = nil
    unsyncedNames.append((name, nil))
  }

  /// Brings the directory to the platter.
  func syncDirectory() {
    durableNames = names
    unsyncedNames = []
  }

  /// A file that is synced does not lose its name, nor what happened to names before it got that: what journalling file
  /// systems do, and SQLite counts on.
  private func syncName(of file: StoredFile) {
    guard let last = unsyncedNames.lastIndex(where: { $0.file === file }) else { return }
    for change in unsyncedNames[...last] { durableNames[change.name] = change.file }
    unsyncedNames.removeFirst(last + 1)
  }

  /// What those who have `file` open share.
  func shared(_ file: StoredFile) -> SharedFile {
    if let known = shared[ObjectIdentifier(file)] { return known }
    let new = SharedFile()
    shared[ObjectIdentifier(file)] = new
    return new
  }

  /// Bytes of all files.
  public var usedBytes: Int { names.values.reduce(0) { $0 + $1.size } }

  // MARK: Operations

  /// Counts an operation of a process, and has it fail if its time has come.
  func begin(_ operation: Operation, process caller: Int) throws(Failure) {
    guard caller == process, !isDown else { throw .down }
    operations += 1
    if let left = operationsUntilPowerCut {
      guard left > 0 else {
        cutPower()
        throw .down
      }
      operationsUntilPowerCut = left - 1
    }
    let (rate, limit) =
      switch operation {
      case .read: (errorRates.reads, slowness.read)
      case .write: (errorRates.writes, slowness.write)
      case .sync: (errorRates.syncs, slowness.sync)
      case .other: (0, slowness.read)
      }
    elapsed += .microseconds(Int.random(in: 1...limit, using: &random))
    guard rate > 0, Int.random(in: 0..<1000, using: &random) < rate else { return }
    switch operation {
    case .read: counts.readErrors += 1
    case .write: counts.writeErrors += 1
    case .sync: counts.syncErrors += 1
    case .other: break
    }
    throw .inputOutput
  }

  /// Writes to a file as much as there is room for.
  func write(_ bytes: [UInt8], at offset: Int, to file: StoredFile, process: Int) throws(Failure) {
    do throws(Failure) {
      try begin(.write, process: process)
    } catch {
      // What was written before the failure stays, as far as it got.
      if error == .inputOutput {
        file.write(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), at: offset)
      }
      throw error
    }
    let growth = max(0, offset + bytes.count - file.size)
    if let capacityBytes, growth > 0, usedBytes + growth > capacityBytes {
      counts.fullWrites += 1
      let room = max(0, capacityBytes - usedBytes)
      if offset <= file.size { file.write(Array(bytes.prefix(file.size - offset + room)), at: offset) }
      throw .full
    }
    file.write(bytes, at: offset)
  }

  /// Brings a file to the platter, and its directory with it if `names`.
  func sync(_ file: StoredFile, names: Bool, process: Int) throws(Failure) {
    do throws(Failure) {
      try begin(.sync, process: process)
    } catch {
      if error == .inputOutput { file.failToSync() }
      throw error
    }
    file.sync()
    if names { syncDirectory() } else { syncName(of: file) }
  }
}
