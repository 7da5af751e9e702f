public import Dates

/// The header fields of a response that matter for the next request.
public struct ResponseFields: Equatable, Sendable {
  /// The validators, byte for byte as they came; they are sent back and never compared.
  public struct Validators: Equatable, Sendable {
    public var entityTag: [UInt8]?
    public var lastModified: [UInt8]?

    public init(entityTag: [UInt8]? = nil, lastModified: [UInt8]? = nil) {
      self.entityTag = entityTag
      self.lastModified = lastModified
    }

    /// True if there are no validators.
    public var isEmpty: Bool { entityTag == nil && lastModified == nil }
  }

  public private(set) var validators = Validators()

  /// Forgets validators that are longer than `limit` bytes, for they cannot be stored.
  public mutating func dropLongValidators(limit: Int) {
    if validators.entityTag?.count ?? 0 > limit { validators.entityTag = nil }
    if validators.lastModified?.count ?? 0 > limit { validators.lastModified = nil }
  }

  /// The time until which the response is fresh, from `Cache-Control: max-age` or `Expires`; nil if it does not say.
  public private(set) var freshUntil: Instant?
  /// The time before which the server wants no request, from `Retry-After`.
  public private(set) var retryAfter: Instant?
  /// The parameter `charset` of the media type, in lower case; nil for none.
  public private(set) var charset: String?

  /// The longest time that a server can ask for, in seconds: 7 days.
  private static let limitSeconds: Int64 = 7 * 86_400

  /// The fields of a response that has none.
  public init() {}

  /// Reads the fields of a response that arrived at `now`. Names may have any case; of a field that comes twice the
  /// last counts. Invalid fields are ignored.
  public init(_ fields: some Sequence<(name: String, value: [UInt8])>, now: Instant) {
    var maxAge: Int64?
    var expires: Instant?
    var date: Instant?
    for (name, value) in fields {
      let text = String(decoding: value, as: UTF8.self)
      switch name.lowercased() {
      case "etag": validators.entityTag = value.isEmpty ? nil : value
      case "last-modified": validators.lastModified = value.isEmpty ? nil : value
      case "cache-control": maxAge = Self.maxAge(text) ?? maxAge
      case "expires": expires = HTTPDate.parse(text, now: now)
      case "date": date = HTTPDate.parse(text, now: now)
      case "retry-after": retryAfter = Self.retryAfter(text, now: now) ?? retryAfter
      case "content-type": charset = Self.charset(text)
      default: break
      }
    }
    if let maxAge {
      freshUntil = now.adding(milliseconds: min(maxAge, Self.limitSeconds) * 1000)
    } else if let expires {
      // By the server's own clock, which may be wrong.
      let age = expires.seconds - (date ?? now).seconds
      if age > 0 { freshUntil = now.adding(milliseconds: min(age, Self.limitSeconds) * 1000) }
    }
  }

  /// Returns the age in seconds; 0 for `no-cache` and `no-store`.
  private static func maxAge(_ text: String) -> Int64? {
    var age: Int64?
    for part in text.lowercased().split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
      if words.first == "no-cache" || words.first == "no-store" { return 0 }
      if words.count == 2, words[0] == "max-age", let seconds = number(words[1]) { age = seconds }
    }
    return age
  }

  private static func number(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int64(text) ?? limitSeconds
  }

  /// Reads seconds, or a date.
  private static func retryAfter(_ text: String, now: Instant) -> Instant? {
    let text = text.split(separator: " ").joined(separator: " ")
    if let seconds = number(text) { return now.adding(milliseconds: min(seconds, limitSeconds) * 1000) }
    guard let date = HTTPDate.parse(text, now: now), date > now else { return nil }
    return min(date, now.adding(milliseconds: limitSeconds * 1000))
  }

  private static func charset(_ mediaType: String) -> String? {
    for part in mediaType.split(separator: ";").dropFirst() {
      let words = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" && $0 != "'" } }
      if words.count == 2, words[0].lowercased() == "charset", !words[1].isEmpty { return words[1].lowercased() }
    }
    return nil
  }
}
