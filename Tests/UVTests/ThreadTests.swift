import Synchronization
import Testing
import UV

@Suite("Work on another thread", .timeLimit(.minutes(1)))
struct ThreadTests {
  @Test("returns in order, a batch at a time")
  func order() throws {
    try withLoop { loop in
      var outcomes: [Int] = []
      let worker = try SerialWorker<Int, Int>(loop: loop, limit: 1000) {
        var done = 0
        return { batch in
          batch.map { job in
            done += 1
            return job * 1000 + done
          }
        }
      } deliver: {
        outcomes += $0
      }
      for job in 1...500 { #expect(worker.submit(job)) }
      loop.run()
      #expect(outcomes == (1...500).map { $0 * 1000 + $0 })
      #expect(worker.outstanding == 0)
      worker.close()
    }
  }

  @Test("accumulates while a batch is in progress, and is then processed at once")
  func batches() throws {
    try withLoop { loop in
      // The first batch reports that it has begun, and lasts until the second has accumulated.
      let latch = Latch()
      var begun: [Int] = []
      let mailbox = try Mailbox<Int>(loop: loop, limit: 10) { begun += $0 }
      let announce = mailbox.sender
      var sizes: [Int] = []
      let worker = try SerialWorker<Int, Int>(loop: loop, limit: 10) {
        { batch in
          _ = announce.send(batch.count)
          latch.wait()
          return batch.map { _ in batch.count }
        }
      } deliver: {
        sizes += $0
      }
      #expect(worker.submit(0))
      while begun.isEmpty, loop.run(.once) {}
      for job in 1...4 { #expect(worker.submit(job)) }
      latch.open()
      while sizes.count < 5, loop.run(.once) {}
      worker.close()
      mailbox.close()
      #expect(sizes == [1, 4, 4, 4, 4])
    }
  }

  @Test("is refused beyond its limit, and accepted again after outcomes are delivered")
  func limit() throws {
    try withLoop { loop in
      var delivered = 0
      let worker = try SerialWorker<Int, Int>(loop: loop, limit: 3) {
        { $0 }
      } deliver: {
        delivered += $0.count
      }
      #expect((0..<5).map { worker.submit($0) } == [true, true, true, false, false])
      loop.run()
      #expect(delivered == 3)
      #expect(worker.submit(0))
      loop.run()
      #expect(delivered == 4)
      worker.close()
      #expect(!worker.submit(0))
    }
  }

  @Test("is finished and delivered when the worker closes")
  func closing() throws {
    try withLoop { loop in
      var outcomes: [Int] = []
      let worker = try SerialWorker<Int, Int>(loop: loop, limit: 100) {
        { $0 }
      } deliver: {
        outcomes += $0
      }
      for job in 0..<100 { #expect(worker.submit(job)) }
      worker.close()
      #expect(outcomes == Array(0..<100))
      worker.close()
    }
  }

  @Test("sends no more than the mailbox's limit")
  func mailboxLimit() throws {
    try withLoop { loop in
      var received: [Int] = []
      let mailbox = try Mailbox<Int>(loop: loop, limit: 3) { received += $0 }
      #expect((0..<5).map { mailbox.sender.send($0) } == [true, true, true, false, false])
      loop.run(.once)
      #expect(received == [0, 1, 2])
      #expect(mailbox.sender.send(9))
      mailbox.close()
      #expect(!mailbox.sender.send(10))
      loop.run()
      #expect(received == [0, 1, 2])
    }
  }
}

/// Blocks a worker's thread until the test opens it, for good.
private final class Latch: Sendable {
  private let isOpen = Mutex(false)

  func open() { isOpen.withLock { $0 = true } }

  func wait() { while !isOpen.withLock({ $0 }) {} }
}
