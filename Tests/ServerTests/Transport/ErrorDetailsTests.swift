import ClientTransport
import Messages
import RPC
import Server
import Services
import Testing
import UV
import ViewState

@Suite("Error details", .timeLimit(.minutes(1)))
struct ErrorDetailsTests {
  private func details(_ status: Status) throws -> ErrorDetails {
    let details = try ErrorDetails(decoding: status.details)
    #expect(details.code == status.code.rawValue && details.message == status.message)
    return details
  }

  private func failure(_ result: Result<[UInt8], Status>) throws -> Status {
    guard case .failure(let status) = result else { throw Status.ok }
    return status
  }

  @Test("errors have a reason, even if the call reaches no service")
  func reasons() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true)
      let channel = try bench.connect()
      let method = try details(failure(bench.unary(channel, "/grpc.testing.TestService/No")))
      #expect(method.reason == "NOT_OFFERED" && method.retryDelayMilliseconds == nil && method.fieldViolations.isEmpty)
      let large = try details(failure(bench.unary(channel, Call.check, [UInt8](repeating: 0, count: 70_000))))
      #expect(large.reason == "LIMIT_REACHED" && large.retryDelayMilliseconds == nil)
      let service = HealthCheckRequest(service: "no.such.Service").encoded()
      #expect(try details(failure(bench.unary(channel, Call.check, service))).reason == "NO_SUCH_OBJECT")
      channel.close()
      for (token, reason) in [(nil, "NO_TOKEN"), ("guessed", "BAD_TOKEN")] {
        let rejected = try bench.connect(.tcp(try #require(bench.transport.tcpAddress)), token: token)
        let status = try failure(bench.unary(rejected, Call.empty))
        #expect(try details(status).reason == reason)
        #expect(!String(decoding: status.details, as: UTF8.self).contains("guessed"))
        rejected.close()
      }
      try bench.shutDown()
    }
  }

  @Test("details fit into the trailers")
  func length() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      let channel = try bench.connect()
      let status = try failure(bench.unary(channel, "/" + String(repeating: "x", count: 6000)))
      #expect(status.code == .unimplemented && status.message == "there is no service for a path of 6001 bytes")
      #expect(try details(status).reason == "NOT_OFFERED")
      let service = HealthCheckRequest(service: String(repeating: "x", count: 4000)).encoded()
      let long = try failure(bench.unary(channel, Call.check, service))
      #expect(
        long.code == .notFound && long.message.utf8.count < 100 && !long.details.isEmpty,
        "long input is repeated in part only")
      channel.close()
      try bench.shutDown()
    }
  }

  @Test("a stopping daemon gives each client a different retry delay")
  func draining() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop) { $0.shutDownGrace = .zero }
      var drawn: Int64 = 0
      bench.registry.drawExtraDelay = { limit in
        drawn += 7
        return min(drawn, limit)
      }
      let channel = try bench.connect()
      var ends: [Status] = []
      for _ in 0..<3 {
        let call = try channel.start(Call.duplex)
        call.onEnd = { _, status, _ in ends.append(status) }
      }
      #expect(try bench.unary(channel, Call.empty) == .success([]))
      try bench.shutDown()
      try bench.run { ends.count == 3 }
      let found = try ends.map { try details($0) }
      #expect(found.map(\.reason) == ["STOPPING", "STOPPING", "STOPPING"])
      #expect(found.map(\.retryDelayMilliseconds) == [257, 264, 271])
    }
  }
}

@Suite("Field violations")
struct FieldViolationTests {
  @Test("errors name the field, and the limit if there is one")
  func fields() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      func details(_ path: String, _ request: some WireMessage) throws -> ErrorDetails {
        try ErrorDetails(decoding: client.refusal(of: path, request).details)
      }
      var layout = LayoutParameters.test
      layout.timeZone = "Mars/Olympus"
      let zone = try details(Method.getRows, GetRowsRequest(layout: layout))
      #expect(zone.reason == "INVALID_FIELD" && zone.fieldViolations.map(\.field) == ["layout.time_zone"])
      #expect(zone.fieldViolations.map(\.description) == [zone.message])
      var many = GetRowsRequest(layout: .test)
      many.count = 1000
      let count = try details(Method.getRows, many)
      #expect(count.fieldViolations.map(\.field) == ["count"] && count.metadata == ["limit": "200"])
      #expect(try details(Method.compose, ComposeRequest(text: "")).fieldViolations.map(\.field) == ["text"])
    }
  }
}
