package io.weir.internal.input.http;

/** Answers the requests of a {@link HttpServer}. Thread-safe. */
@FunctionalInterface
public interface HttpService {
  /**
   * Decides by the head of a request; must not block.
   *
   * @param cut breaks the request off, from any thread, while its body comes
   */
  HttpTask begin(HttpHead head, Runnable cut);

  /** A connection was closed without an answer. */
  default void closed(Cause cause) {}

  /** Why a connection was closed. */
  enum Cause {
    /** There were too many, and it was the one that does least. */
    PLACES,
    /** The head of a request took too long. */
    HEAD,
    /** A body was too slow. */
    BODY,
    /** Other bodies needed the memory. */
    MEMORY
  }
}
