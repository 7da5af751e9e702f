internal import ClientCore
internal import UV

/// Where newsboat keeps its subscriptions and its cache (newsboat(1), "FILES").
struct NewsboatFolders {
  /// The file of subscriptions.
  let urls: String
  /// The database of items; nil if there is none.
  let cache: String?

  /// Finds newsboat's files in a folder, or where newsboat looks for them: `newsboat` in the folders of the XDG
  /// specification if it is there, else `~/.newsboat`.
  init(folder: String?) {
    let home = UV.Process.environment("HOME") ?? ""
    var (configuration, data) = (folder ?? "\(home)/.newsboat", folder ?? "\(home)/.newsboat")
    let standard = UV.Process.environment("XDG_CONFIG_HOME") ?? "\(home)/.config"
    if folder == nil, (try? FileSystem.look(at: "\(standard)/newsboat/urls")) != nil {
      configuration = "\(standard)/newsboat"
      data = "\(UV.Process.environment("XDG_DATA_HOME") ?? "\(home)/.local/share")/newsboat"
    }
    urls = "\(configuration)/urls"
    let file = "\(data)/cache.db"
    cache = (try? FileSystem.look(at: file)) == nil ? nil : file
  }
}
