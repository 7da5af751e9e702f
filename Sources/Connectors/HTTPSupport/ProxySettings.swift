/// The proxies that the environment names: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, read as libcurl
/// reads them.
public struct ProxySettings: Equatable, Sendable {
  private let http: String?
  private let https: String?
  /// Domains that are reached without a proxy, in lower case; `*` stands for all.
  private let exceptions: [String]

  /// Reads the variables of an environment. `http_proxy` counts in lower case only, since a server may set `HTTP_PROXY`
  /// from a request's field (CVE-2016-5385).
  public init(environment: (String) -> String?) {
    func value(_ names: String...) -> String? { names.lazy.compactMap(environment).first { !$0.isEmpty } }
    let all = value("all_proxy", "ALL_PROXY")
    http = value("http_proxy") ?? all
    https = value("https_proxy", "HTTPS_PROXY") ?? all
    exceptions = (value("no_proxy", "NO_PROXY") ?? "").lowercased().split { $0 == "," || $0 == " " }
      .map { String($0.hasPrefix(".") ? $0.dropFirst() : $0) }
  }

  /// Returns the proxy through which an address is fetched; nil for none.
  public func proxy(for url: WebURL) -> String? {
    let isException = exceptions.contains { $0 == "*" || url.host == $0 || url.host.hasSuffix(".\($0)") }
    return isException ? nil : url.isSecure ? https : http
  }
}
