/// A fault or a difficult condition. A set of seeds proves little unless each kind has happened somewhere in it.
public enum Fault: String, CaseIterable, Sendable {
  /// A process was killed; the kernel kept running.
  case kill
  /// The power was cut between two jobs of the store.
  case powerCut
  /// The power was cut in the middle of a job of the store.
  case powerCutInJob
  /// A power cut lost an unsynced write.
  case lostWrite
  /// A power cut lost some sectors of a write.
  case tornWrite
  /// A power cut lost the name of a file.
  case lostName
  /// The daemon was stopped gracefully and restarted.
  case restart
  /// The disk was full.
  case fullDisk
  /// A read failed.
  case readError
  /// A write failed.
  case writeError
  /// A sync failed.
  case syncError
  /// A connection was lost, and both ends were notified.
  case cut
  /// A connection was lost, and one end was notified much later.
  case halfOpen
  /// No bytes arrived for a while, then all at once.
  case stall
  /// A client read slowly.
  case slowReader
  /// A sender had to wait for full buffers.
  case fullBuffer
  /// A message arrived in pieces.
  case split
  /// A client changed the size of its view.
  case resize
  /// A client moved its viewport.
  case scroll
  /// A client detached and reattached later.
  case detach
  /// A reattaching client sent its state and received the difference.
  case resume
  /// A reattaching client sent its state and received a full reset.
  case reset
  /// A change was sent in several frames, or several changes in one.
  case skip
  /// A command was retried because its response was lost.
  case retry
  /// A wall clock was set forward.
  case clockForward
  /// A wall clock was set back.
  case clockBack
  /// The daemon's processor was slow, so that one turn did not suffice for its inputs.
  case slowProcessor
  /// A program of a source died while some of its batches had no answer.
  case sourceDeath
  /// A program of a source did nothing for a while.
  case sourceStall
  /// A program of a source wrote what is not of the protocol, or too long.
  case hostileLine
  /// A program of a source sent more batches than it had credit for.
  case overspentCredit
  /// A program of a source sent a batch again before those that were sent first.
  case wrongOrder
  /// A program of a source sent a batch that breaks a rule.
  case brokenBatch
  /// A program of a source repeated what was stored already.
  case oldBatches
  /// A batch could not be stored, and was to be sent again.
  case batchAgain
  /// A batch was stored, and its answer was lost.
  case batchWithoutAnswer
  /// Nobody followed a feed any more while a batch about it was under way.
  case feedGone
  /// A source edited or deleted a post that a client had marked.
  case markedPostChanged
  /// A post of a source was removed because of a limit.
  case postRemoved
}

/// The number of times each fault has happened.
public struct FaultCounts: Sendable {
  private var counts = [Int](repeating: 0, count: Fault.allCases.count)

  /// Creates counts of zero.
  public init() {}

  /// The number of times `fault` has happened.
  public subscript(fault: Fault) -> Int {
    get { counts[Fault.allCases.firstIndex(of: fault)!] }
    set { counts[Fault.allCases.firstIndex(of: fault)!] = newValue }
  }

  /// Adds the counts of another world.
  public static func += (left: inout FaultCounts, right: FaultCounts) {
    for index in left.counts.indices { left.counts[index] += right.counts[index] }
  }
}
