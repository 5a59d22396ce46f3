package io.weir.internal.input.http;

/** Answers the requests of a {@link HttpServer}. Thread-safe. */
@FunctionalInterface
public interface HttpService {
  /** Decides by the head of a request; must not block. */
  HttpTask begin(HttpHead head);
}
