/// What may go wrong in a world, or be hard for it. Each kind must have happened somewhere in a set of seeds for the
/// set to prove anything.
public enum Fault: String, CaseIterable, Sendable {
  /// A process was killed; the kernel went on.
  case kill
  /// The power went between two jobs of the store.
  case powerCut
  /// The power went in the middle of a job of the store.
  case powerCutInJob
  /// A write that was not synced was lost by a power cut.
  case lostWrite
  /// Some sectors of a write were lost by a power cut.
  case tornWrite
  /// The name of a file was lost by a power cut.
  case lostName
  /// The daemon was stopped in good order and started again.
  case restart
  /// The disk was full.
  case fullDisk
  /// The disk could not read.
  case readError
  /// The disk could not write.
  case writeError
  /// The disk could not sync.
  case syncError
  /// A connection was lost, and both ends were told.
  case cut
  /// A connection was lost, and one end heard of it much later.
  case halfOpen
  /// Nothing arrived for a while, then all of it.
  case stall
  /// A client read slowly.
  case slowReader
  /// A sender had to wait, since the buffers on the way were full.
  case fullBuffer
  /// A message arrived in pieces.
  case split
  /// A client changed the size of its view.
  case resize
  /// A client moved its viewport.
  case scroll
  /// A client left, and came back later.
  case detach
  /// A client that came back said what it held, and was sent the difference.
  case resume
  /// A client that came back said what it held, and was sent everything anew.
  case reset
  /// A change was sent in several frames, or several changes in one.
  case skip
  /// A command was sent again, since its answer was lost.
  case retry
  /// A wall clock was set forward.
  case clockForward
  /// A wall clock was set back.
  case clockBack
  /// The daemon's processor was slow, so that it did not get through its inputs in one turn.
  case slowProcessor
}

/// How often each fault has happened.
public struct FaultCounts: Sendable {
  private var counts = [Int](repeating: 0, count: Fault.allCases.count)

  /// None yet.
  public init() {}

  /// How often `fault` has happened.
  public subscript(fault: Fault) -> Int {
    get { counts[Fault.allCases.firstIndex(of: fault)!] }
    set { counts[Fault.allCases.firstIndex(of: fault)!] = newValue }
  }

  /// Adds the counts of another world.
  public static func += (left: inout FaultCounts, right: FaultCounts) {
    for index in left.counts.indices { left.counts[index] += right.counts[index] }
  }
}
