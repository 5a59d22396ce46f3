package io.weir.internal.input.http;

import java.util.function.Consumer;

/** What an {@link HttpService} does with a request. One thread at a time. */
public interface HttpTask {
  /**
   * Bytes of the body have come.
   *
   * @return null to keep them; otherwise the answer, and the rest of the body is discarded
   */
  HttpReply received(int bytes);

  /**
   * Takes memory for the body, or gives it back if negative.
   *
   * @return null to go on; otherwise the answer, and the rest of the body is discarded
   */
  HttpReply take(int bytes);

  /**
   * The body is complete.
   *
   * @param answer called once, by any thread, now or later
   */
  void run(byte[] body, int length, Consumer<HttpReply> answer);

  /** Called once: the request was answered or broken off. */
  void end();

  /** A task that answers at once and keeps nothing. */
  static HttpTask answering(HttpReply reply) {
    return new HttpTask() {
      @Override
      public HttpReply received(int bytes) {
        return reply;
      }

      @Override
      public HttpReply take(int bytes) {
        return reply;
      }

      @Override
      public void run(byte[] body, int length, Consumer<HttpReply> answer) {
        answer.accept(reply);
      }

      @Override
      public void end() {}
    };
  }
}
