internal import ConnectorSupport
internal import Ingest
internal import Posts

/// Lines to the daemon beside those of every connector (docs/UPSTREAM.md).
enum MastodonLine {
  /// The first line: what this program can do.
  static func hello(_ markers: LoginMarkers.Direction) -> [UInt8] {
    let words = ["fetch", "sign_in", "post", "delete", "favourite", "repost", "edit", "post_direct", "media", "save"]
    return ConnectorLine.hello(can: words + (markers == .off ? [] : ["marker"]))
  }

  /// The answer to a command.
  static func answer(_ id: String, _ answer: Wish.Answer) -> [UInt8] {
    ConnectorLine.line { writer in
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

  /// Asks for so many more parts of a file that a person wants to be at the server.
  static func more(_ id: String, parts: Int) -> [UInt8] {
    ConnectorLine.line { writer in
      writer.field("say", "more")
      writer.field("id", id)
      writer.number("parts", parts)
    }
  }

  /// The answer to a want: the server has the file.
  static func answer(_ id: String, _ media: Media) -> [UInt8] {
    ConnectorLine.line { writer in
      writer.field("id", id)
      writer.flag("ok", true)
      writer.object("media") { writer in
        writer.field("id", media.uploadID.string)
        JSONLines.write(media, to: &writer)
      }
    }
  }

  /// The answer to a wish to sign out, which is done here in any case.
  static func answer(_ id: String, isConfirmed: Bool) -> [UInt8] {
    ConnectorLine.line { writer in
      writer.field("id", id)
      writer.flag("ok", true)
      if !isConfirmed { writer.flag("unconfirmed", true) }
    }
  }

  /// The answer to a wish to sign in: where a person has to go, empty for nowhere, and the number under which signing in
  /// goes on.
  static func answer(_ id: String, signIn: String, url: String) -> [UInt8] {
    ConnectorLine.line { writer in
      writer.field("id", id)
      writer.flag("ok", true)
      writer.field("sign_in", signIn)
      if !url.isEmpty { writer.field("url", url) }
    }
  }

  /// The answer to the end of signing in: the login's name, and the author of its posts.
  static func answer(_ id: String, login: String, author: ImportedAuthor) -> [UInt8] {
    ConnectorLine.line { writer in
      writer.field("id", id)
      writer.flag("ok", true)
      writer.field("login", login)
      writer.object("author") { JSONLines.write(author, to: &$0) }
    }
  }
}
