internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

extension AccountVerb {
  /// Sets the name under which the account is shown.
  struct Name: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "name", abstract: "Set the name that others see beside your @handle; without one, take it back.")

    @Argument(help: ArgumentHelp("The name; nothing for that of the account.", valueName: "name"))
    var words: [String] = []

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try AccountProfile.set(.displayName(words.joined(separator: " ")), $0) }
    }
  }

  /// Sets the line about oneself.
  struct About: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "about", abstract: "Set the line about yourself in your profile; without one, remove it.")

    @Argument(help: ArgumentHelp("The line; nothing for none.", valueName: "text"))
    var words: [String] = []

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try AccountProfile.set(.about(words.joined(separator: " ")), $0) }
    }
  }
}

/// What others see of an account.
private enum AccountProfile {
  static func set(_ change: SetProfileRequest.Change, _ context: ClientContext) throws(ClientFailure) {
    let answer: SetProfileResponse = try context.ask(Method.setProfile, SetProfileRequest(change))
    try context.write(answer.profile.record)
  }
}
