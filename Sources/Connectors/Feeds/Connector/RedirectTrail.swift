internal import HTTPSupport

/// The redirects of a check: at most five, never from https to http, never to another scheme (RFC 9110, section 15.4).
struct RedirectTrail {
  /// The most redirects that are followed.
  static let limit = 5

  /// A redirect that is not followed.
  struct Refusal: Error {
    /// Why, as a clause.
    let reason: String
  }

  private var steps = 0
  private var isPermanent = true
  /// The address to which the document has moved for good: where the first redirects lead that are permanent (301,
  /// 308); nil if there was none.
  private(set) var movedTo: WebURL?

  /// Returns the address to which a response leads; nil if it is not a redirect.
  mutating func next(after response: FetchResponse) throws(Refusal) -> WebURL? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.fields.first(where: { $0.name == "location" })?.value
    else { return nil }
    guard steps < Self.limit else { throw Refusal(reason: "more than \(Self.limit) redirects") }
    guard let url = response.url.resolving(location) else {
      throw Refusal(reason: "a redirect to something that is not http(s)")
    }
    guard url.isSecure || !response.url.isSecure else {
      throw Refusal(reason: "a redirect from https to http, to \(url.host)")
    }
    steps += 1
    isPermanent = isPermanent && (response.status == 301 || response.status == 308)
    if isPermanent { movedTo = url }
    return url
  }
}
