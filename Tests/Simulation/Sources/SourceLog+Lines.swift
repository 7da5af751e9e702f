extension SourceLog {
  /// Returns an event as an item of a batch (docs/UPSTREAM.md, "Items").
  func item(_ index: Int) -> String {
    switch events[index] {
    case .post(let post, let version): item(of: post, version: version, at: index)
    case .gone(let post): #"{"gone":"\#(id(of: post))"}"#
    case .left(let post, let isEverywhere):
      #"{"left":"\#(id(of: post))"\#(isEverywhere ? "" : #","in":["home"]"#)}"#
    case .gap(let number): #"{"gap":\#(Self.stretch(number, isLost: Self.isLost(number)))}"#
    case .complete(let number): #"{"complete":\#(Self.stretch(number))}"#
    case .name(let number): #"{"person":\#(person(number))}"#
    }
  }

  private func item(of post: Int, version: Int, at index: Int) -> String {
    let known = posts[post]
    var fields = #""id":"\#(id(of: post))","created_at":\#(known.createdAt)"#
    fields += #","text":\#(Self.quoted(text(of: post, version: version)))"#
    if let parent = known.parent { fields += #","in_reply_to":"\#(id(of: parent))""# }
    guard !isFeed else { return #"{"post":{\#(fields)}}"# }
    if known.isPrivate { fields += #","visibility":"followers""# }
    fields += #","author":\#(person(nameNumber(before: index)))"#
    let lists = (known.isHome ? [#""home""#] : []) + (known.isMention ? [#""mentions""#] : [])
    return #"{"post":{\#(fields)},"in":[\#(lists.joined(separator: ","))]}"#
  }

  private func person(_ number: Int) -> String {
    let name = Self.quoted(authorName(number))
    return isFeed ? #"{"name":\#(name)}"# : #"{"id":"\#(author)","handle":"gull","name":\#(name)}"#
  }

  private func nameNumber(before index: Int) -> Int {
    for event in events[..<index].reversed() {
      if case .name(let number) = event { return number }
    }
    return 0
  }

  private static func stretch(_ number: Int, isLost: Bool = false) -> String {
    #"{"newer":\#(gapEnd(number)),"older":\#(gapEnd(number) - gapLength)\#(isLost ? #","lost":true"# : "")}"#
  }

  /// Returns a text as a JSON string.
  static func quoted(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return "\"\(quoted)\""
  }
}
