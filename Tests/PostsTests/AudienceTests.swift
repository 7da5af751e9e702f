import Posts
import Testing

@Suite("Who may see a post")
struct AudienceTests {
  static let ann = AccountID(1)
  static let bob = AccountID(2)

  @Test(
    "public and unlisted posts are for everyone, others for their owner",
    arguments: [
      (Visibility.public, Audience.everyone), (.unlisted, .everyone), (.followers, .only(ann)), (.direct, .only(ann)),
    ])
  func ofVisibility(visibility: Visibility, audience: Audience) {
    #expect(Audience(visibility: visibility, owner: Self.ann) == audience)
  }

  @Test("an intersection includes those who are in both", arguments: [Audience.everyone, .only(ann), .only(bob), .nobody])
  func intersection(left: Audience) {
    for right in [Audience.everyone, .only(Self.ann), .only(Self.bob), .nobody] {
      for account in [Self.ann, Self.bob, AccountID(3)] {
        #expect(left.intersection(right).includes(account) == (left.includes(account) && right.includes(account)))
      }
    }
  }

  @Test("a packed body tells its visibility, and the narrowest when damaged") func packed() {
    for visibility in Visibility.allCases {
      #expect(PackedBody(PostBody(text: "x", visibility: visibility)).visibility == visibility)
    }
    #expect(PackedBody(trusted: []).visibility == .direct)
    #expect(PackedBody(trusted: [1, 200]).visibility == .direct)
  }
}
