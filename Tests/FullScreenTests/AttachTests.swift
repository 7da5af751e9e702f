import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("A file of a post that is written on the screen")
struct AttachTests {
  private static let media = UploadedMedia(
    id: "1142", media: RowMedia(kind: .image, url: [], altText: Array("A cat".utf8)))

  /// A user who has sent a reply with a file.
  private static func sent(description: String = "A cat") -> ScreenUser {
    var user = ScreenUser.reading()
    user.type("rlook")
    user.key(.character("m"), .alt)
    user.type("cat.png")
    user.key(.enter)
    user.type(description)
    user.key(.character("s"), .control)
    return user
  }

  private static func upload(_ user: inout ScreenUser) -> (number: UInt64, path: String, header: UploadMediaHeader)? {
    for case .upload(let number, let path, let header) in user.lookBesideCalls() { return (number, path, header) }
    return nil
  }

  @Test("the file is sent first, with its description and the post it replies to, then the post that names it")
  func upload() throws {
    var user = Self.sent()
    #expect(user.text().contains("File: cat.png") && user.text().contains("Description: A cat"))
    let sent = try #require(Self.upload(&user))
    #expect(sent.path == "cat.png" && sent.header.description == "A cat")
    #expect(sent.header.inReplyTo == String(user.shown.panes[0].rows[0].content.fields.postID))
    user.happens(.uploaded(sent.number, .success(Self.media)))
    let (number, request) = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(request.text.hasSuffix("look") && request.media == [Self.media])
    // A post that failed is sent again without its file being sent twice.
    user.refuse(number, code: 14)
    user.key(.character("s"), .control)
    let again = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(again.1.media == [Self.media] && again.1.requestID == request.requestID)
    // One that was refused is another: the file may have been changed since.
    user.refuse(again.number, code: 9)
    user.key(.character("s"), .control)
    #expect(Self.upload(&user)?.path == "cat.png")
  }

  @Test("a post that is left while its file is sent has no part in the next") func leave() throws {
    var user = Self.sent()
    let left = try #require(Self.upload(&user))
    user.key(.escape)
    #expect(user.lookBesideCalls().contains(.cancelUpload))
    // Another one, with a file of its own; the answer to the first comes late.
    user.key(.down)
    user.type("rsee")
    user.key(.character("m"), .alt)
    user.type("dog.png")
    user.key(.enter)
    user.type("A cat")
    user.key(.character("s"), .control)
    let own = try #require(Self.upload(&user))
    user.happens(.uploaded(left.number, .success(Self.media)))
    #expect(user.calls(Method.compose, as: ComposeRequest.self).isEmpty)
    let media = UploadedMedia(id: "2", media: RowMedia(kind: .image, url: [], altText: Array("A cat".utf8)))
    user.happens(.uploaded(own.number, .success(media)))
    let (number, request) = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(request.text.hasSuffix("see") && request.media == [media])
    // Left again: its answer does not close the editor that is open by then.
    user.key(.escape)
    user.key(.down)
    user.type("rmore")
    user.answer(number, ComposeResponse(postID: 1, revision: 1))
    #expect(user.text().contains("more"))
  }

  @Test("a file that cannot be sent keeps the post open, with the reason") func failure() {
    var user = Self.sent()
    let number = Self.upload(&user)?.number ?? 0
    user.happens(.uploaded(number, .failure(CallEnd(code: 9, message: "mastodon says: it is too large"))))
    #expect(user.text().contains("Mastodon says: it is too large."))
    user.key(.character("s"), .control)
    #expect(Self.upload(&user) != nil)
  }

  @Test("a file needs a description, or a word that it needs none") func description() throws {
    var user = Self.sent(description: "")
    #expect(user.text().contains("Describe the file, or write - for no description."))
    #expect(Self.upload(&user) == nil)
    user.type("-")
    user.key(.character("s"), .control)
    #expect(try #require(Self.upload(&user)).header.description == "")
  }
}
