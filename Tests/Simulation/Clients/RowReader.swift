import Messages
import RPC
import ViewState

/// Reads rows now and then. They must be at least as new as any revision that any client has received.
final class RowReader: Behaviour {
  init(_ client: ClientProcess, number: Int) {
    super.init(client, name: "reader \(number)")
    later(100...2000) { [unowned self] in ask() }
  }

  private func ask() {
    var request = GetRowsRequest(layout: LayoutParameters(width: 60, height: 20))
    request.count = .random(in: 1...200, using: &random)
    let post = world.ledger.posts.randomElement(using: &random)
    if let post, Int.random(in: 0..<3, using: &random) == 0 { request.subject = .conversation("\(post.id)") }
    let knownRevision = world.ledger.revision
    let promised = world.ledger.posts.map(\.id)
    client.unary(Method.getRows, request.encoded()) { [weak self] in
      self?.handleResponse($0, request, knownRevision, promised)
    }
  }

  private func handleResponse(
    _ result: Result<[UInt8], Status>, _ request: GetRowsRequest, _ knownRevision: UInt64, _ promised: [UInt64]
  ) {
    later(50...3000) { [unowned self] in ask() }
    switch result {
    case .failure(let status): checkStatus(status, of: "a request for rows")
    case .success(let bytes):
      do {
        let answer = try GetRowsResponse(decoding: bytes)
        world.trace.record(world.now, name, "has read", Int64(answer.rows.count), Int64(bitPattern: answer.revision))
        if answer.revision < knownRevision {
          world.violation("\(name): rows of revision \(answer.revision), but a client had received \(knownRevision)")
        }
        guard request.subject == nil, !answer.hasMore else { return }
        let missing = Set(promised).subtracting(answer.rows.map(\.rowID))
        if !missing.isEmpty {
          world.violation("\(name): \(missing.count) acknowledged posts are missing from all rows")
        }
      } catch {
        world.violation("\(name): cannot decode the response: \(error)")
      }
    }
  }
}
