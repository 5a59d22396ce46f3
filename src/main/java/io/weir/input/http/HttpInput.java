package io.weir.input.http;

import io.weir.input.Client;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** The endpoints of one protocol. Thread-safe. */
public interface HttpInput {
  /** Its name in settings and metrics. */
  String name();

  /** The endpoint of a path; empty if the path is none of its own. */
  Optional<Endpoint> find(String path);

  /** The token that a client presents. */
  Optional<String> token(HttpHead head);

  /** Adds the headers that each of its answers has. */
  HttpReply dressed(HttpReply reply);

  /** An error in the form that its clients understand. */
  HttpReply error(int status, String message);

  /**
   * What is at a path.
   *
   * @param methods that it answers
   * @param open whether it needs no body and no credentials, and is always answered
   */
  record Endpoint(Set<String> methods, boolean open, Action action) {}

  /** Answers a request. */
  @FunctionalInterface
  interface Action {
    /**
     * Answers once, now or later; at once if its endpoint is open.
     *
     * @throws BadRequestException for a bad request
     */
    void run(InputRequest request, Consumer<HttpReply> answer);
  }

  /**
   * A request with its body.
   *
   * @param take takes more bytes of memory for the request; false if there are too many
   */
  record InputRequest(HttpHead head, Client client, byte[] body, int length, IntPredicate take) {}
}
