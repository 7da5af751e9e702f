import Messages
import RPC
import Simulation
import Testing
import ViewState

@Suite("Views without a token")
struct SignedOutTests {
  private static let hello = Hello(session: "", layout: LayoutParameters(width: 80, height: 24), client: "test")

  @Test("are limited to 32 across all connections; ending one makes room") func few() throws {
    let daemon = try DirectDaemon(seed: 1)
    defer { daemon.close() }
    let clients = try (0..<4).map { _ in try daemon.client(token: nil) }
    var views = try (0..<32).map { try clients[$0 % 4].attach(Self.hello) }
    #expect(views.allSatisfy { $0.end == nil && $0.welcome != nil })
    let late = try clients[0].attach(Self.hello)
    #expect(late.end?.code == .resourceExhausted && late.end?.message.contains("32") == true && late.welcome == nil)
    #expect(try clients[1].status(of: Method.watch, WatchRequest(hello: Self.hello)).code == .resourceExhausted)
    let own = try daemon.client(user: 1001).attach(Self.hello)
    #expect(own.end == nil && own.welcome != nil, "authenticated views are not counted")
    views.removeFirst().call.cancel()
    daemon.runUntilIdle()
    #expect(try clients[2].attach(Self.hello).end == nil)
    #expect(try clients[3].attach(Self.hello).end?.code == .resourceExhausted)
  }

  @Test("end a minute after their start") func short() throws {
    let daemon = try DirectDaemon(seed: 1)
    defer { daemon.close() }
    let client = try daemon.client(token: nil)
    let first = try client.attach(Self.hello)
    let own = try daemon.client(user: 1001).attach(Self.hello)
    daemon.advance(by: .seconds(30))
    let second = try client.attach(Self.hello)
    daemon.advance(by: .seconds(29))
    #expect(first.end == nil && second.end == nil)
    daemon.advance(by: .seconds(2))
    #expect(first.end?.code == .unauthenticated && first.end?.message.contains("minute") == true && second.end == nil)
    daemon.advance(by: .seconds(30))
    #expect(second.end?.code == .unauthenticated && own.end == nil)
    #expect(try (0..<32).allSatisfy { _ in try client.attach(Self.hello).end == nil })
  }
}
