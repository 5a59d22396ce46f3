package io.weir.ops;

/** What is answered at one path, or at all paths below one. Called by several threads at once. */
@FunctionalInterface
public interface Page {
  /**
   * Answers a GET. Is to return within a second or so: few threads serve all pages; what takes
   * longer is a {@link Reply.Stream}.
   */
  Reply reply(PageRequest request);

  /** Yes or no: 200 or 503, with a line for a person. */
  static Reply.Text yesOrNo(boolean yes, String text) {
    return new Reply.Text(yes ? 200 : 503, "text/plain; charset=utf-8", text);
  }
}
