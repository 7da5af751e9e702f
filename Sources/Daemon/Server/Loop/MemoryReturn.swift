internal import UV

/// Returns freed memory to the operating system after connections have closed or much was sent. The allocator keeps it
/// otherwise, since allocations that live longer lie in between.
final class MemoryReturn {
  /// Delay after memory was freed: more may follow, and it may be needed again at once.
  private static let delay = Duration.seconds(10)
  /// Free bytes below which nothing is done.
  private static let leastFreeBytes = 4 << 20
  /// Bytes by which free or resident memory must have grown since the last time. Free memory that was returned still
  /// counts as free, so this keeps an allocator that is full of holes from being searched again and again.
  private static let leastGrowthBytes = 2 << 20

  private var timer: Timer?
  private var isArmed = false
  /// Free and resident bytes after the last time.
  private var last = (freeBytes: 0, residentBytes: 0)

  /// Prepares a timer on `loop`.
  init(loop: Loop) throws(UVError) {
    timer = try Timer(loop: loop) { [unowned self] in timePassed() }
    timer?.keepsLoopRunning = false
  }

  /// Memory was freed that may be worth returning. Costs next to nothing.
  func memoryWasFreed() {
    guard !isArmed else { return }
    isArmed = true
    timer?.arm(after: Self.delay)
  }

  private func timePassed() {
    isArmed = false
    guard isWorthwhile(freeBytes: Process.freeHeapBytes, residentBytes: Process.residentBytes) else { return }
    Process.returnFreeHeap()
    wasDone(freeBytes: Process.freeHeapBytes, residentBytes: Process.residentBytes)
  }

  /// Returns true if there is enough to return, and something has changed since the last time.
  func isWorthwhile(freeBytes: Int, residentBytes: Int) -> Bool {
    let growth = max(freeBytes - last.freeBytes, residentBytes - last.residentBytes)
    return freeBytes >= Self.leastFreeBytes && growth >= Self.leastGrowthBytes
  }

  /// Records what is free and resident after memory was returned.
  func wasDone(freeBytes: Int, residentBytes: Int) { last = (freeBytes, residentBytes) }

  /// Releases the timer.
  func close() {
    timer?.close()
    timer = nil
  }
}
