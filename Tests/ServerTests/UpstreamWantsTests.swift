import Posts
import Testing

@testable import Services

@Suite("What people want of a program is asked in order, and a limited number at a time")
struct UpstreamWantsTests {
  private func ids(_ notices: [UpstreamNotice]) -> [String] {
    notices.map { if case .want(let id, _) = $0 { id } else { "" } }
  }

  @Test("16 are open, 64 fetches wait, and an answer makes room for the next") func limits() throws {
    var wants = UpstreamWants()
    for number in 1...16 { #expect(wants.add(.author("a"), login: "l") == number) }
    #expect(ids(wants.next { _ in true }) == (1...16).map { "w\($0)" })
    for number in 17...80 { #expect(wants.add(.author("a"), login: "l") == number) }
    #expect(wants.add(.author("a"), login: "l") == nil && wants.next { _ in true } == [])
    #expect(wants.answered("w3") == 3 && wants.answered("w3") == nil && wants.answered("other") == nil)
    #expect(wants.next { _ in true } == [.want(id: "w17", .fetch(.author("a"), login: "l"))])
    wants.addRefresh(of: "f1", at: .zero)
    #expect(wants.add(.author("a"), login: "l") != nil, "feeds do not count")
  }

  @Test("a want that is withdrawn is not asked, or the program is told") func withdrawn() {
    var wants = UpstreamWants()
    _ = wants.add(.search("x"), login: "l")
    #expect(wants.withdraw(1) == nil && wants.next { _ in true } == [])
    let second = wants.add(.search("y"), login: "l")
    #expect(ids(wants.next { _ in true }) == ["w1"] && second == 2)
    #expect(wants.withdraw(2) == .unwanted(id: "w1") && wants.answered("w1") == 2)
  }

  @Test("a process that ends has no wants, and no ID is used again") func ended() {
    var wants = UpstreamWants()
    _ = wants.add(.search("x"), login: "l")
    _ = wants.next { _ in true }
    wants.ended()
    #expect(wants.answered("w1") == nil)
    _ = wants.add(.search("y"), login: "l")
    #expect(ids(wants.next { _ in true }) == ["w2"])
  }
}
