internal import Dates
internal import Ingest
internal import Posts

/// Lines to the daemon (docs/UPSTREAM.md).
enum MastodonLine {
  /// The first line: the protocol's version, and what this program can do.
  static var hello: [UInt8] {
    line { writer in
      writer.field("say", "hello")
      writer.number("protocol", 2)
      writer.list("can", ["fetch", "sign_in", "post", "delete", "favourite", "repost", "edit", "post_direct"]) {
        $0.string(Array($1.utf8))
      }
    }
  }

  /// The status of a login.
  static func status(_ login: String, _ status: LoginStatus) -> [UInt8] {
    line { writer in
      writer.field("say", "status")
      writer.field("login", login)
      writer.field("state", status.state.rawValue)
      if let since = status.since { writer.number("since", Int(since.milliseconds)) }
      if let next = status.next { writer.number("next", Int(next.milliseconds)) }
      if !status.reason.isEmpty { writer.field("reason", status.reason) }
    }
  }

  /// Items, each an object in JSON, with the cursors that stand for them.
  static func batch(_ number: Int, _ login: String, items: [[UInt8]], cursors: [String: String]) -> [UInt8] {
    line { writer in
      writer.field("say", "batch")
      writer.field("batch", String(number))
      writer.field("login", login)
      writer.list("items", items) { $0.bytes += $1 }
      writer.object("cursors") { writer in
        for (name, value) in cursors.sorted(by: { $0.key < $1.key }) {
          writer.field(Array(name.utf8)) { $0.string(Array(value.utf8)) }
        }
      }
    }
  }

  /// The answer to a command.
  static func answer(_ id: String, _ answer: Wish.Answer) -> [UInt8] {
    line { writer in
      writer.field("id", id)
      switch answer {
      case .done(let name, let page):
        writer.flag("ok", true)
        if !name.isEmpty { writer.field("native_id", name) }
        if !page.isEmpty { writer.field("permalink", page) }
      case .refused(let reason):
        writer.flag("ok", false)
        writer.field("reason", reason)
      case .later(let reason):
        writer.flag("ok", false)
        writer.flag("retry", true)
        writer.field("reason", reason)
      }
    }
  }

  /// The answer to a want.
  static func answer(_ id: String, refusal: String? = nil) -> [UInt8] {
    line { writer in
      writer.field("id", id)
      writer.flag("ok", refusal == nil)
      if let refusal { writer.field("reason", refusal) }
    }
  }

  /// The answer to a wish to sign out, which is done here in any case.
  static func answer(_ id: String, isConfirmed: Bool) -> [UInt8] {
    line { writer in
      writer.field("id", id)
      writer.flag("ok", true)
      if !isConfirmed { writer.flag("unconfirmed", true) }
    }
  }

  /// The answer to a wish to sign in: where a person has to go, and the number under which signing in goes on.
  static func answer(_ id: String, signIn: String, url: String) -> [UInt8] {
    line { writer in
      writer.field("id", id)
      writer.flag("ok", true)
      writer.field("sign_in", signIn)
      writer.field("url", url)
    }
  }

  /// The answer to the end of signing in: the login's name, and the author of its posts.
  static func answer(_ id: String, login: String, author: ImportedAuthor) -> [UInt8] {
    line { writer in
      writer.field("id", id)
      writer.flag("ok", true)
      writer.field("login", login)
      writer.object("author") { writer in
        writer.field("id", author.nativeID)
        writer.text("handle", author.handle)
        writer.text("name", author.displayName)
        writer.text("avatar", author.avatarURL)
      }
    }
  }

  private static func line(_ body: (inout JSONLinesWriter) -> Void) -> [UInt8] {
    JSONLinesWriter.object(body) + [0x0A]
  }
}
