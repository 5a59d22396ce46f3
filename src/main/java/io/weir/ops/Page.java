package io.weir.ops;

/** What is answered at one path. Called by several threads at once. */
@FunctionalInterface
public interface Page {
  /**
   * @param accept the media types that the client asks for, as it sent them; empty for any
   */
  Reply reply(String accept);

  /** Yes or no: 200 or 503, with a line for a person. */
  static Reply yesOrNo(boolean yes, String text) {
    return new Reply(yes ? 200 : 503, "text/plain; charset=utf-8", text);
  }

  /**
   * An answer.
   *
   * @param status as HTTP has it
   */
  record Reply(int status, String contentType, String text) {}
}
