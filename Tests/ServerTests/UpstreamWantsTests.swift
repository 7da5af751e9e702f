import Posts
import Testing

@testable import Services

@Suite("What people want of a program is asked in order, and a limited number at a time")
struct UpstreamWantsTests {
  private func ids(_ notices: [UpstreamNotice]) -> [String] {
    notices.map { if case .want(let id, _) = $0 { id } else { "" } }
  }

  private let ann = AccountID(1)

  private func next(_ wants: inout UpstreamWants, at now: Duration = .zero) -> [UpstreamNotice] {
    wants.next(at: now) { _ in true }
  }

  @Test("16 are open, 64 fetches wait, and an answer makes room for the next") func limits() throws {
    var wants = UpstreamWants()
    func add(_ number: Int) -> Int? {
      wants.add(.fetch(.author("a"), login: "l"), of: AccountID(Int64(number)), until: .seconds(120))
    }
    for number in 1...16 { #expect(add(number) == number) }
    #expect(ids(next(&wants)) == (1...16).map { "w\($0)" })
    for number in 17...80 { #expect(add(number) == number) }
    #expect(add(81) == nil && next(&wants) == [])
    #expect(wants.answered("w3") == 3 && wants.answered("w3") == nil && wants.answered("other") == nil)
    #expect(next(&wants) == [.want(id: "w17", .fetch(.author("a"), login: "l"))])
    wants.addRefresh(of: "f1", at: .zero)
    #expect(add(81) != nil, "feeds do not count")
  }

  @Test("an account has 4 open and 16 in all, so that others are asked for too") func share() {
    var wants = UpstreamWants()
    for number in 1...16 {
      #expect(wants.add(.fetch(.author("a"), login: "l"), of: ann, until: .seconds(120)) == number)
    }
    #expect(wants.add(.fetch(.author("a"), login: "l"), of: ann, until: .seconds(120)) == nil)
    #expect(wants.add(.fetch(.author("b"), login: "m"), of: AccountID(2), until: .seconds(120)) == 17)
    let asked = next(&wants)
    #expect(asked.count == 5 && asked.last == .want(id: "w5", .fetch(.author("b"), login: "m")))
    _ = wants.answered("w1")
    #expect(ids(next(&wants)) == ["w6"])
  }

  @Test("one file of an account and four in all are open, beside the others; their time counts from the call")
  func uploads() {
    var wants = UpstreamWants()
    let file = UpstreamUpload(mediaType: "image/png", description: .empty, byteCount: 3)
    func add(_ account: Int64, until deadline: Duration = .seconds(600)) {
      _ = wants.add(.upload(file, login: "l"), of: AccountID(account), until: deadline)
    }
    add(1)
    for account in 1...6 { add(Int64(account), until: .seconds(700)) }
    for account in 1...16 {
      _ = wants.add(.fetch(.author("a"), login: "l"), of: AccountID(Int64(account)), until: .seconds(120))
    }
    let asked = next(&wants, at: .seconds(10))
    #expect(asked.count { if case .want(_, .upload) = $0 { true } else { false } } == 4 && asked.count == 20)
    #expect(wants.expire(at: .seconds(599)).allSatisfy { $0.number > 7 })
    #expect(wants.expire(at: .seconds(600)).map(\.number) == [1])
    #expect(ids(next(&wants, at: .seconds(600))) == ["w21"])
  }

  @Test("what nobody waits for leaves room for the others") func unasked() {
    var wants = UpstreamWants()
    func add(_ want: UpstreamFetch) -> Int? { wants.add(.fetch(want, login: "l"), of: ann, until: .seconds(120)) }
    let opened = UpstreamFetch.conversation(post: "n1", isUnasked: true)
    for number in 1...8 { #expect(add(opened) == number) }
    #expect(add(opened) == nil && add(.author("a")) == 9 && add(.author("b")) == 10 && add(.author("c")) == 11)
    let asked = next(&wants).map { if case .want(_, let want) = $0 { want.isUnasked } else { false } }
    #expect(asked == [true, true, false, false])
    _ = wants.answered("w1")
    #expect(next(&wants) == [.want(id: "w5", .fetch(opened, login: "l"))])
  }

  @Test("what is not answered in time has failed, also if it was withdrawn, and makes room") func patience() {
    var wants = UpstreamWants()
    for _ in 1...5 { _ = wants.add(.fetch(.search("x"), login: "l"), of: ann, until: .seconds(300)) }
    #expect(next(&wants, at: .seconds(1)).count == 4)
    _ = wants.withdraw(1)
    let deadline = Duration.seconds(1) + UpstreamWants.patience
    #expect(wants.nextDeadline == deadline && wants.expire(at: deadline - .milliseconds(1)).isEmpty)
    #expect(wants.expire(at: deadline).map(\.id) == ["w1", "w2", "w3", "w4"])
    #expect(ids(next(&wants, at: deadline)) == ["w5"] && wants.answered("w2") == nil)
    _ = wants.add(.fetch(.search("x"), login: "l"), of: ann, until: .seconds(130))
    #expect(wants.nextDeadline == .seconds(130))
    let late = wants.expire(at: .seconds(130))
    #expect(late.map(\.number) == [6] && late[0].id == nil && next(&wants).isEmpty, "one that waits fails, too")
  }

  @Test("a want that is withdrawn is not asked, or the program is told") func withdrawn() {
    var wants = UpstreamWants()
    _ = wants.add(.fetch(.search("x"), login: "l"), of: ann, until: .seconds(120))
    #expect(wants.withdraw(1) == nil && next(&wants) == [])
    let second = wants.add(.fetch(.search("y"), login: "l"), of: ann, until: .seconds(120))
    #expect(ids(next(&wants)) == ["w1"] && second == 2)
    #expect(wants.withdraw(2) == .unwanted(id: "w1") && wants.answered("w1") == 2)
  }

  @Test("a process that ends has no wants, and no ID is used again") func ended() {
    var wants = UpstreamWants()
    _ = wants.add(.fetch(.search("x"), login: "l"), of: ann, until: .seconds(120))
    _ = next(&wants)
    wants.ended()
    #expect(wants.answered("w1") == nil)
    _ = wants.add(.fetch(.search("y"), login: "l"), of: ann, until: .seconds(120))
    #expect(ids(next(&wants)) == ["w2"])
  }
}
