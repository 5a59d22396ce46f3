package io.weir.internal.ops;

/** The page at one path, or at all paths below one. An implementation must be thread-safe. */
@FunctionalInterface
public interface Page {
  /**
   * Answers a GET. Should return within a second, because few threads serve all pages; longer
   * answers are a {@link Reply.Stream}.
   */
  Reply reply(PageRequest request);

  /** Yes or no: 200 or 503, with a line of text. */
  static Reply.Text yesOrNo(boolean yes, String text) {
    return new Reply.Text(yes ? 200 : 503, "text/plain; charset=utf-8", text);
  }
}
