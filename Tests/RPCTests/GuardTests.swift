import Testing

@testable import RPC

@Suite("Flood limits of a client")
struct GuardTests {
  private static func guarded(_ change: (inout ConnectionLimits.Floods) -> Void) -> FloodGuard {
    var limits = ConnectionLimits.Floods()
    change(&limits)
    return FloodGuard(limits: limits, at: .zero)
  }

  @Test("Messages in either direction allow more overhead")
  func overhead() {
    var floods = GuardTests.guarded {
      $0.overheadBurstBytes = 100
      $0.overheadBytesPerSecond = 0
    }
    func receive(_ byteCount: Int, messages: Int = 0) -> Bool {
      floods.beginReceiving()
      floods.receivedMessages(byteCount: messages)
      return floods.endReceiving(byteCount: byteCount, at: .zero)
    }
    let first = receive(100)
    let second = receive(1)
    #expect(first && !second)
    floods.sentFrame(byteCount: 50)
    let paid = receive(49)
    let useful = receive(1000, messages: 1000)
    #expect(paid && useful)
  }

  @Test("Headers count once, by the smaller of their two sizes")
  func headers() {
    var floods = GuardTests.guarded {
      $0.overheadBurstBytes = 10
      $0.overheadBytesPerSecond = 0
    }
    floods.beginReceiving()
    floods.receivedHeaders(listBytes: 5000, wireBytes: 20)
    let isTaken = floods.endReceiving(byteCount: 30, at: .zero)
    #expect(isTaken)
    floods.beginReceiving()
    floods.receivedHeaders(listBytes: 5, wireBytes: 20)
    let isTakenAgain = floods.endReceiving(byteCount: 20, at: .zero)
    #expect(!isTakenAgain)
  }

  @Test("Early pings are forgiven when something is sent")
  func pings() {
    var floods = GuardTests.guarded { $0.pingStrikes = 1 }
    let first = floods.receivedPing(at: .seconds(1))
    let strike = floods.receivedPing(at: .seconds(2))
    floods.sentEnd()
    let forgiven = floods.receivedPing(at: .seconds(3))
    let last = floods.receivedPing(at: .seconds(4))
    let late = floods.receivedPing(at: .seconds(20))
    #expect(first && strike && forgiven && !last && late)
  }

  @Test("Failed streams are limited per second")
  func failures() {
    var floods = GuardTests.guarded {
      $0.resetBurst = 1
      $0.resetsPerSecond = 1
    }
    let first = floods.streamFailed(at: .zero)
    let second = floods.streamFailed(at: .zero)
    let later = floods.streamFailed(at: .seconds(5))
    #expect(first && !second && later)
  }

  @Test("A spent allowance grows again however much was refused in the meantime")
  func refusals() {
    var allowance = Allowance(burst: 10, perSecond: 1, at: .zero)
    let large = allowance.spend(11, at: .zero)
    let all = allowance.spend(10, at: .zero)
    let refused = (0..<100).contains { _ in allowance.spend(1, at: .zero) }
    let later = allowance.spend(3, at: .seconds(3))
    let more = allowance.spend(1, at: .seconds(3))
    #expect(!large && all && !refused && later && !more)
  }

  @Test("An unidentified client has a deadline until a call authenticates it")
  func authentication() {
    var unknown = Authentication(of: .unknown, timeout: .seconds(10), at: .seconds(1))
    #expect(!unknown.isEstablished && unknown.deadline == .seconds(11))
    unknown.extend(at: .seconds(11))
    #expect(unknown.deadline == .seconds(21))
    let first = unknown.establish(as: .tokenHolder(1))
    let second = unknown.establish(as: .tokenHolder(2))
    #expect(first && !second && unknown.isEstablished && unknown.deadline == nil && unknown.peer == .tokenHolder(2))
    #expect(Authentication(of: .unknown, timeout: nil, at: .zero).deadline == nil)
  }
}
