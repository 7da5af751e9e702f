import Messages
import RPC
import ViewState

/// Reads rows once in a while: what it is given must be as new as anything that anybody was told of before.
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
    let told = world.ledger.revision
    let promised = world.ledger.posts.map(\.id)
    client.unary(Method.getRows, request.encoded()) { [weak self] in self?.answered($0, request, told, promised) }
  }

  private func answered(
    _ result: Result<[UInt8], Status>, _ request: GetRowsRequest, _ told: UInt64, _ promised: [UInt64]
  ) {
    later(50...3000) { [unowned self] in ask() }
    switch result {
    case .failure(let status): judge(status, of: "a request for rows")
    case .success(let bytes):
      do {
        let answer = try GetRowsResponse(decoding: bytes)
        world.trace.note(world.now, name, "has read", Int64(answer.rows.count), Int64(bitPattern: answer.revision))
        if answer.revision < told {
          world.violation("\(name): rows of revision \(answer.revision), and \(told) had been told")
        }
        guard request.subject == nil, !answer.hasMore else { return }
        let missing = Set(promised).subtracting(answer.rows.map(\.rowID))
        if !missing.isEmpty { world.violation("\(name): \(missing.count) promised posts are not among all rows") }
      } catch {
        world.violation("\(name): an answer that cannot be read: \(error)")
      }
    }
  }
}
