import Dates
import Posts
import TestSupport
import Testing

@testable import Engine

@Suite("Open searches")
struct OpenSearchTests {
  @Test("no query of one account opens the personal search of another") func personal() {
    var searches = OpenSearches()
    let (ann, bob) = (AccountID(1), AccountID(2))
    searches.open("is:saved", of: ann, 10)
    searches.open("1 is:saved", of: bob, 20)
    searches.open("is:saved", of: bob, 21)
    var post = EngineHarness.post(5, text: "tea")
    _ = post.set(.saved, true, of: ann)
    #expect(searches.lists(finding: post, by: []) == [10])
    searches.close("1 is:saved", of: bob, 20)
    searches.close("is:saved", of: ann, 10)
    #expect(searches.lists(finding: post, by: []).isEmpty)
  }
}
