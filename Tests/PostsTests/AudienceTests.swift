import Posts
import Testing

@Suite("Audiences of posts")
struct AudienceTests {
  static let ann = AccountID(1)
  static let bob = AccountID(2)
  static let group = AudienceGroupID(1)
  static let members: Members = [group: [ann, AccountID(3)], AudienceGroupID(2): [bob]]
  static let all: [Audience] = [.everyone, .only(ann), .only(bob), .group(group), .group(AudienceGroupID(2)), .nobody]

  @Test(
    "public and unlisted posts are for everyone, others for their owner",
    arguments: [
      (Visibility.public, Audience.everyone), (.unlisted, .everyone), (.followers, .only(ann)), (.direct, .only(ann)),
    ])
  func ofVisibility(visibility: Visibility, audience: Audience) {
    #expect(Audience(visibility: visibility, owner: Self.ann) == audience)
  }

  @Test("an intersection includes only accounts in both audiences", arguments: all)
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

  @Test("each audience has its own number and is restored from it", arguments: all) func number(audience: Audience) {
    #expect(Audience(number: audience.number) == audience)
    #expect(Self.all.count { $0.number == audience.number } == 1)
  }

  @Test("numbers match the store's files: 0, accounts, and groups below -1") func numbers() {
    #expect(Self.all.map(\.number) == [0, 1, 2, -2, -3, -1])
  }

  @Test("a group includes its members, and nobody if they are unknown") func groups() {
    let audience = Audience.group(Self.group)
    #expect(audience.includes(Self.ann, Self.members) && !audience.includes(Self.bob, Self.members))
    #expect(!audience.includes(Self.ann))
  }

  @Test("a packed body has its visibility, or the narrowest if it is damaged") func packed() {
    for visibility in Visibility.allCases {
      #expect(PackedBody(PostBody(text: "x", visibility: visibility)).visibility == visibility)
    }
    #expect(PackedBody(trusted: []).visibility == .direct)
    #expect(PackedBody(trusted: [1, 200]).visibility == .direct)
  }
}
