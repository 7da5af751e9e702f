internal import Posts
internal import ViewState

/// The requests for rows that wait for a list to load, oldest first.
struct RowRequests {
  struct Waiting {
    let token: RequestToken
    let request: RowsRequest
    let list: ListKey
  }

  private let limits: EngineLimits
  private var waiting: [Waiting] = []

  init(limits: EngineLimits) { self.limits = limits }

  /// Queues a request. Returns false if too many are waiting.
  mutating func add(_ request: Waiting) -> Bool {
    guard waiting.count < limits.lists.waitingRequests else { return false }
    waiting.append(request)
    return true
  }

  /// Returns the requests that wait for a list.
  func waiting(for list: ListKey) -> [Waiting] { waiting.filter { $0.list == list } }

  /// Removes a request that was answered or refused.
  mutating func remove(_ token: RequestToken) { waiting.removeAll { $0.token == token } }
}
