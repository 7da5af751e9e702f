internal import ClientCore
internal import Messages
internal import ViewState

/// Notices a mention of a name that no one here has, which is often a typing error.
enum MentionCheck {
  /// Asks on a terminal whether to post a text that mentions an unknown name; elsewhere prints a notice. A daemon with
  /// one account, or without the list of people, knows no one to mistake.
  ///
  /// - Throws: `refused` if the answer is anything but yes.
  static func check(_ text: String, _ context: ClientContext) throws(ClientFailure) {
    guard !MentionedNames.names(in: text).isEmpty, let people = try? known(to: context),
      let name = MentionedNames.unknown(in: text, known: people), isUnknown(name, context)
    else { return }
    guard context.console.canAsk else { return context.console.notice("there is no @\(name) here") }
    guard try context.console.ask("there is no @\(name) here. Post anyway?") else {
      throw ClientFailure(.refused, "cancelled")
    }
  }

  private static func known(to context: ClientContext) throws -> Set<String> {
    let people = try context.list(Method.listPeople, ListPeopleResponse.self)
    return Set(people.map { String(decoding: $0.author.handle, as: UTF8.self).lowercased() })
  }

  /// True if not even an imported author has the name.
  private static func isUnknown(_ name: String, _ context: ClientContext) -> Bool {
    let request = AuthorRequest(author: "@\(name)")
    do throws(ClientFailure) {
      let _: GetProfileResponse = try context.ask(Method.getProfile, request)
      return false
    } catch {
      return error.exitCode == .notFound
    }
  }
}
