/// The paths of the schema's calls, as they stand in `:path`.
public enum Method {
  public static let attach = "/stack.v1.ViewService/Attach"
  public static let watch = "/stack.v1.ViewService/Watch"
  public static let moveViewport = "/stack.v1.ViewService/MoveViewport"
  public static let getRows = "/stack.v1.ViewService/GetRows"
  public static let measure = "/stack.v1.ViewService/Measure"
  public static let push = "/stack.v1.StackService/Push"
  public static let pop = "/stack.v1.StackService/Pop"
  public static let compose = "/stack.v1.TimelineService/Compose"
  public static let importPosts = "/stack.v1.TimelineService/Import"
  public static let export = "/stack.v1.TimelineService/Export"
  public static let getStatus = "/stack.v1.DaemonService/GetStatus"
  public static let stop = "/stack.v1.DaemonService/Stop"
}
