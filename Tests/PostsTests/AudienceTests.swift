import Posts
import Testing

@Suite("Who may see a post")
struct AudienceTests {
  static let ann = AccountID(1)
  static let bob = AccountID(2)
  static let circle = CircleID(1)
  static let members: Members = [circle: [ann, AccountID(3)], CircleID(2): [bob]]
  static let all: [Audience] = [.everyone, .only(ann), .only(bob), .circle(circle), .circle(CircleID(2)), .nobody]

  @Test(
    "public and unlisted posts are for everyone, others for their owner",
    arguments: [
      (Visibility.public, Audience.everyone), (.unlisted, .everyone), (.followers, .only(ann)), (.direct, .only(ann)),
    ])
  func ofVisibility(visibility: Visibility, audience: Audience) {
    #expect(Audience(visibility: visibility, owner: Self.ann) == audience)
  }

  @Test("an intersection includes nobody who is not in both", arguments: all)
  func intersection(left: Audience) {
    for right in Self.all {
      let both = left.intersection(right)
      #expect(both == right.intersection(left))
      for account in [Self.ann, Self.bob, AccountID(3), AccountID(4)] {
        let isInBoth = left.includes(account, Self.members) && right.includes(account, Self.members)
        if both.includes(account, Self.members) { #expect(isInBoth) }
        if left == right || left == .everyone { #expect(both.includes(account, Self.members) == isInBoth) }
      }
    }
  }

  @Test("each has a number of its own, which says it", arguments: all) func number(audience: Audience) {
    #expect(Audience(number: audience.number) == audience)
    #expect(Self.all.count { $0.number == audience.number } == 1)
  }

  @Test("the numbers are those of the store's files: 0, accounts, and circles below -1") func numbers() {
    #expect(Self.all.map(\.number) == [0, 1, 2, -2, -3, -1])
  }

  @Test("a circle is for its members, and for nobody where they are not known") func circles() {
    let audience = Audience.circle(Self.circle)
    #expect(audience.includes(Self.ann, Self.members) && !audience.includes(Self.bob, Self.members))
    #expect(!audience.includes(Self.ann))
  }

  @Test("a packed body tells its visibility, and the narrowest when damaged") func packed() {
    for visibility in Visibility.allCases {
      #expect(PackedBody(PostBody(text: "x", visibility: visibility)).visibility == visibility)
    }
    #expect(PackedBody(trusted: []).visibility == .direct)
    #expect(PackedBody(trusted: [1, 200]).visibility == .direct)
  }
}
