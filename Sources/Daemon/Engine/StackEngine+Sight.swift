internal import OrderedCollections
internal import Posts
internal import ViewState

extension StackEngine {
  /// The row of a list's post: the one way by which a post comes to a frame or an answer. What the account may not see
  /// stays behind, whatever a list holds (behaviour.md, rule 41).
  mutating func row(displayed index: Int, of list: inout PostList, _ layout: LayoutKey) -> LaidOutRow {
    let rank = list.rank(ofDisplayed: index)
    let post = list.post(atRank: rank)
    let key = layout.at(depth: list.depth(ofRank: rank))
    let account = list.key.account
    guard sight.includes(post.audience, account) else {
      return cache.row(StoredPost(withholding: post.id), .notice, account: account, key: key)
    }
    return cache.row(post, list.kind(of: post.id), account: account, key: key)
  }
}
