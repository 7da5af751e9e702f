package import ViewState

/// The words for the lines of a folded row that are not shown.
package enum FoldedLines {
  /// Returns the words of the line that stands for the others, such as "… 260 more lines"; `ellipsis` is what it begins
  /// with.
  package static func words(_ layout: RowLayout, ellipsis: String = "…") -> String {
    "\(ellipsis) \(NumberText.count(layout.foldedLines, "more line", "more lines"))"
  }
}
