import Engine
import Messages
import TestSupport
import Testing

@testable import Services

@Suite("Paging through lists")
struct PagerTests {
  private static let method = "/stack.v1.ListService/ListLists"

  private func page(_ request: PageRequest, of names: [String], for method: String = method) throws -> (
    items: [String], nextPageToken: String
  ) {
    let page = try Pager.page(request, of: names, for: method) {
      PageKey(text: $0)
    } _: { name in
      var list = ListSummary()
      list.name = name
      return list
    }
    return (page.items.map(\.name), page.nextPageToken)
  }

  @Test("pages of any size contain each item once and in order, and only the last has no token", arguments: 1...12)
  func whole(size: Int) throws {
    let names = ["", "a:b", "z", ":", "Ä", "10", "9", "a", "b:1:2", "漢", "\u{1F642}", "e\u{301}", "\u{E9}"]
    var read: [String] = []
    var request = PageRequest(size: size, token: "")
    while true {
      let page = try page(request, of: names)
      #expect(page.items.count == size || page.nextPageToken.isEmpty)
      read += page.items
      if page.nextPageToken.isEmpty { break }
      request.token = page.nextPageToken
    }
    #expect(read.map { Array($0.utf8) } == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test("items that stay are in exactly one page while others come and go", arguments: seeds(0..<50 as Range<UInt64>))
  func changes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let staying = (0..<40).map { "stays \($0)" }
    var transient = (0..<40).map { "passes \($0)" }
    var read: [String] = []
    var request = PageRequest(size: .random(in: 1...9, using: &random), token: "")
    repeat {
      let page = try page(request, of: staying + transient)
      read += page.items
      request.token = page.nextPageToken
      transient.shuffle(using: &random)
      transient.removeLast(min(transient.count, .random(in: 0...9, using: &random)))
      transient.append("passes \(Int.random(in: 0..<1000, using: &random))")
    } while !request.token.isEmpty
    #expect(read.filter { $0.hasPrefix("stays") } == staying.sorted())
  }

  @Test("a page has at most 1,000 items, and ends after a mebibyte") func limits() throws {
    let many = (0..<2500).map { "\($0)" }
    #expect(try page(PageRequest(), of: many).items.count == 1000)
    #expect(try page(PageRequest(size: 5000, token: ""), of: many).items.count == 1000)
    let large = (0..<5).map { "\($0)" + String(repeating: "x", count: 400_000) }
    let first = try page(PageRequest(), of: large)
    #expect(first.items.count == 3, "the third is the one that fills it")
    #expect(try page(PageRequest(token: first.nextPageToken), of: large).items.count == 2)
    let huge = [String(repeating: "x", count: 2 << 20)]
    #expect(try page(PageRequest(), of: huge).items.count == 1)
    #expect(try page(PageRequest(), of: []) == ([], ""))
  }

  @Test(
    "a token from another method is refused",
    arguments: ["x", "ListLists", "ListLists:0:0", "ListLists:a:0:b", "ListLists:0::b", "ListDrafts:0:0:b", ":::"])
  func foreign(token: String) {
    #expect {
      try page(PageRequest(token: token), of: ["a"])
    } throws: { error in
      let error = error as? EngineError
      return error?.code == .invalidArgument && error?.field == "page_token"
    }
  }
}
