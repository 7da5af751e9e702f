import Testing
import ViewState

@testable import Engine

@Suite("Searches as typed")
struct TypedSearchTests {
  @Test("a search keeps the words that were typed, whatever their spelling means") func typed() throws {
    var stack = PaneStack()
    let content = try PaneContent(searching: "Otter  fr")
    _ = try stack.apply(.push(.search("Otter  fr"), from: 0), content, limit: 64)
    #expect(stack.top.typed == "Otter  fr" && stack.top.content == .search("fr otter"))
    let text = String(decoding: stack.encoded, as: UTF8.self)
    #expect(text.contains("pane 2 search fr%20otter\ntyped 2 Otter%20%20fr\n"))
    #expect(PaneStack(decoding: Array(text.utf8)) == stack)
    _ = try stack.apply(.open(.search, query: "TEA"), PaneContent(searching: "TEA"), limit: 64)
    #expect(stack.top.typed == "TEA")
    _ = try stack.apply(.open(.timeline), nil, limit: 64)
    #expect(stack.top.typed.isEmpty)
  }
}
