internal import Messages
internal import Store

extension KeepRule {
  init(_ keep: Keep) {
    self = keep.days > 0 ? .days(Int(keep.days)) : keep.posts > 0 ? .posts(Int(keep.posts)) : .everything
  }
}

extension Keep {
  init(_ rule: KeepRule) {
    switch rule {
    case .everything: self = .everything
    case .days(let days): self.init(days: UInt32(clamping: days))
    case .posts(let posts): self.init(posts: UInt32(clamping: posts))
    }
  }
}
