internal import TestSupport

/// A disk in memory that misbehaves as its seed decides: it is slow, runs full, fails, and on a power cut loses
/// unsynced changes and tears writes.
///
/// One process uses it at a time. ``SimulatedVFS`` opens its files. Not thread-safe.
public final class SimulatedDisk {
  /// The reason that an operation failed.
  enum Failure: Error {
    /// The disk is full.
    case full
    /// The medium or the kernel failed.
    case inputOutput
    /// The power is cut, or the calling process is dead.
    case down
  }

  /// The kind of an operation.
  enum Operation {
    case read
    case write
    case sync
    case other
  }

  /// Rates of I/O errors per 1,000 operations.
  public struct ErrorRates: Sendable {
    public var reads = 0
    public var writes = 0
    public var syncs = 0

    /// Creates rates of zero.
    public init() {}
  }

  /// The number of times each fault has happened.
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

  /// The limit of all files' bytes together; nil for none.
  public var capacityBytes: Int?
  /// The present error rates.
  public var errorRates = ErrorRates()
  /// Counts of faults so far.
  public private(set) var counts = Counts()
  /// Called with each operation and its result, for traces.
  public var onEvent: ((String) -> Void)?
  /// The number of operations left before the power is cut; nil while it stays on.
  public var operationsUntilPowerCut: Int?
  /// True after a kill or power cut. Everything fails until ``restart()``.
  public private(set) var isDown = false
  /// The duration of all operations since the last ``takeElapsed()``.
  private var elapsed = Duration.zero
  /// The errno of the last failure.
  var lastSystemError: Int32 = 0
  /// The number of operations so far.
  public private(set) var operations = 0

  /// The longest durations of operations in microseconds. One disk may be 50 times slower than another.
  private let slowness: (read: Int, write: Int, sync: Int)
  private var random: SeededGenerator
  /// The directory as processes see it.
  private var names: [String: StoredFile] = [:]
  /// The directory on the platter.
  private var durableNames: [String: StoredFile] = [:]
  /// Names created or removed since the directory was synced, in order.
  private var unsyncedNames: [(name: String, file: StoredFile?)] = []
  /// The shared state of each file's openers.
  private var shared: [ObjectIdentifier: SharedFile] = [:]
  /// The number of the process that uses the disk. Handles of earlier ones are dead.
  private(set) var process = 0

  /// Creates an empty disk.
  public init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let factor = [1, 1, 10, 50].randomElement(using: &random)!
    slowness = (read: 20 * factor, write: 40 * factor, sync: 400 * factor)
  }

  /// Returns a faultless disk with the files as processes see them.
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

  /// Kills the process and cuts the power. Unsynced changes are kept, lost or torn, as the seed decides.
  public func cutPower() {
    isDown = true
    counts.powerCuts += 1
    operationsUntilPowerCut = nil
    losePower()
  }

  /// Kills the process. The kernel keeps running and loses nothing.
  public func killProcess() {
    isDown = true
    operationsUntilPowerCut = nil
  }

  /// Starts a new process. Handles and locks of the previous one become invalid.
  public func restart() {
    isDown = false
    process += 1
    shared = [:]
    elapsed = .zero
  }

  private func losePower() {
    // A journalling file system keeps the order of changes to names: only the last ones are lost.
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

  /// Returns the duration of all operations since the last call.
  public func takeElapsed() -> Duration {
    defer { elapsed = .zero }
    return elapsed
  }

  // MARK: Names

  /// Returns true if a file exists.
  func contains(_ name: String) -> Bool { names[name] != nil }

  /// Returns the file called `name`, and creates it if it is missing and `creates` is true.
  func file(_ name: String, creates: Bool) -> (file: StoredFile, isNew: Bool)? {
    if let file = names[name] { return (file, false) }
    guard creates else { return nil }
    let file = StoredFile()
    names[name] = file
    unsyncedNames.append((name, file))
    return (file, true)
  }

  /// Removes a name. Openers of the file keep it.
  func remove(_ name: String) {
    names[name] = nil
    unsyncedNames.append((name, nil))
  }

  /// Syncs the directory.
  func syncDirectory() {
    durableNames = names
    unsyncedNames = []
  }

  /// Makes a file's name durable, with all earlier changes to names. Journalling file systems do so when a file is
  /// synced, and SQLite relies on it.
  private func syncName(of file: StoredFile) {
    guard let last = unsyncedNames.lastIndex(where: { $0.file === file }) else { return }
    for change in unsyncedNames[...last] { durableNames[change.name] = change.file }
    unsyncedNames.removeFirst(last + 1)
  }

  /// Returns the shared state of a file's openers.
  func shared(_ file: StoredFile) -> SharedFile {
    if let known = shared[ObjectIdentifier(file)] { return known }
    let new = SharedFile()
    shared[ObjectIdentifier(file)] = new
    return new
  }

  /// The size of all files.
  public var usedBytes: Int { names.values.reduce(0) { $0 + $1.size } }

  // MARK: Operations

  /// Counts an operation of a process, and throws if it fails by chance or by a due power cut.
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

  /// Writes to a file, as far as there is room.
  func write(_ bytes: [UInt8], at offset: Int, to file: StoredFile, process: Int) throws(Failure) {
    do throws(Failure) {
      try begin(.write, process: process)
    } catch {
      // The part that was written before the failure stays.
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

  /// Syncs a file, and the directory if `names` is true.
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
