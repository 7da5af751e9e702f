internal import Codecs
internal import ConnectorSupport
internal import Dates
internal import Ingest

/// A line from the daemon (docs/UPSTREAM.md).
enum DaemonMessage: Equatable {
  /// A login that the program speaks for, whose bookmarks may be what its account saves.
  case login(name: String, cursors: [String: String], keepsBookmarks: Bool)
  /// A login that it no longer speaks for.
  case gone(String)
  /// All logins have been told.
  case ready(now: Instant, credit: Int)
  /// The account of a login has read a list up to the first of these posts that its server has.
  case read(login: String, list: String, posts: [String])
  /// A view of a login's account is open.
  case looking(login: String)
  /// The answer to a batch.
  case did(String, BatchAnswer)
  /// A person's wish.
  case want(id: String, Want)
  /// The next bytes of the file of a want.
  case part(want: String, [UInt8])
  /// A command; without a wish it is not one that this program carries out.
  case command(id: String, Wish?)
  /// A line that only later daemons write.
  case unrecognised

  /// What a person wants.
  enum Want: Equatable {
    /// To sign in at a server, at an address as the person of an account wrote it. The server may send the browser to a
    /// port of its own machine, or a command prints a token, if it is not empty.
    case signIn(address: String, account: String, port: Int?, isReadOnly: Bool, command: String)
    /// To end signing in, with the code that the server has shown.
    case finishSignIn(number: String, code: String)
    /// To sign a login out.
    case signOut(login: String)
    /// Posts that a login can reach; unasked if no person waits for them.
    case posts(login: String, WantedContent.Subject, isUnasked: Bool = false)
    /// Posts of a gap.
    case older(login: String, older: Instant, newer: Instant)
    /// A file to be at the server of a login. Its parts follow when they are asked for.
    case upload(login: String, MediaUploads.File)
    /// Nothing more of another want.
    case nothing
    case other(String)
  }

  /// Reads a line. Nil if it is not JSON, or lacks what it has to have.
  init?(_ line: [UInt8], parser: JSONParser) {
    var line = line
    guard let read = try? parser.parse(&line, { value, _ in Self(value) }) else { return nil }
    self = read
  }

  private init?(_ value: JSONValue) {
    if let word = value["tell"]?.string {
      guard let told = Self.told(word, value) else { return nil }
      self = told
    } else if let number = value["did"]?.id {
      self = .did(number, BatchAnswer(value))
    } else if let word = value["want"]?.string {
      guard let id = value["id"]?.id else { return nil }
      self = .want(id: id, Self.want(word, value))
    } else if let id = value["part"]?.id {
      guard let bytes = value["data"]?.bytes.flatMap({ Base64.decode($0) }) else { return nil }
      self = .part(want: id, bytes)
    } else if value["do"] != nil {
      // It becomes a header field, and a word of a record.
      guard let id = value["id"]?.id, id.utf8.count <= 256, id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        return nil
      }
      self = .command(id: id, Wish(value, id: id))
    } else {
      self = .unrecognised
    }
  }

  private static func told(_ word: String, _ value: JSONValue) -> DaemonMessage? {
    switch word {
    case "ready": return value.readiness.map { .ready(now: $0.now, credit: $0.credit) }
    case "gone": return value["login"]?.string.map { .gone($0) } ?? .unrecognised
    case "looking": return value["login"]?.string.map { .looking(login: $0) } ?? .unrecognised
    case "read":
      return .read(
        login: value["login"]?.string ?? "", list: value["in"]?.string ?? "", posts: value.strings("posts"))
    case "login":
      return value["login"]?.string.map {
        .login(name: $0, cursors: value.cursors ?? [:], keepsBookmarks: value["bookmarks"]?.bool == true)
      }
    default: return .unrecognised
    }
  }

  private static func want(_ word: String, _ value: JSONValue) -> Want {
    switch word {
    case "sign_in":
      let port = value["port"]?.id.flatMap { Int($0) }.flatMap { (1...65_535).contains($0) ? $0 : nil }
      return .signIn(
        address: value["address"]?.string ?? "", account: value["account"]?.string ?? "", port: port,
        isReadOnly: value["read_only"]?.bool == true, command: value["secret_command"]?.string ?? "")
    case "finish_sign_in":
      return .finishSignIn(number: value["sign_in"]?.string ?? "", code: value["code"]?.string ?? "")
    case "sign_out": return .signOut(login: value["login"]?.string ?? "")
    case "conversation":
      let post = Wish.PostName(id: value["post"]?.string ?? "", aliases: value.strings("aliases"))
      return .posts(
        login: value["login"]?.string ?? "", .conversation(post), isUnasked: value["unasked"]?.bool == true)
    case "author":
      return .posts(login: value["login"]?.string ?? "", .author(value["author"]?.string ?? ""))
    case "search":
      return .posts(login: value["login"]?.string ?? "", .search(value["text"]?.string ?? ""))
    case "older":
      guard let older = instant(value["older"]), let newer = instant(value["newer"]) else { return .other(word) }
      return .older(login: value["login"]?.string ?? "", older: older, newer: newer)
    case "upload":
      let file = MediaUploads.File(
        type: value["type"]?.string ?? "", description: value["description"]?.string ?? "",
        byteCount: value["bytes"]?.id.flatMap { Int($0) } ?? 0)
      return .upload(login: value["login"]?.string ?? "", file)
    case "nothing": return .nothing
    default: return .other(word)
    }
  }

  private static func instant(_ value: JSONValue?) -> Instant? {
    value?.integer.map { Instant(milliseconds: Int64($0)) }
  }
}
