package io.weir.internal.input.http;

import io.weir.internal.input.Client;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.Intake;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** The endpoints of one protocol. Thread-safe. */
public interface HttpInput {
  /** Its name in settings and metrics. */
  String name();

  /** The endpoint of a path; empty if the path is none of its own. */
  Optional<Endpoint> find(String path);

  /** The token that a client presents; by default that of the Authorization header. */
  default Optional<String> token(HttpHead head) {
    return Credentials.token(head);
  }

  /** Adds the headers that each of its answers has; by default when to try again after a 503. */
  default HttpReply dressed(HttpReply reply) {
    return reply.status() == 503 ? reply.with("Retry-After", "5") : reply;
  }

  /** An error in the form that its clients understand. */
  HttpReply error(HttpHead head, int status, String message);

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
     * @throws RefusedRequestException instead
     */
    void run(InputRequest request, Consumer<HttpReply> answer);
  }

  /**
   * A request with its body.
   *
   * @param take takes more bytes of memory for the request, or gives them back if negative; false
   *     if there are too many
   */
  record InputRequest(HttpHead head, Client client, byte[] body, int length, IntPredicate take) {
    /**
     * The same with its body as it was before gzip.
     *
     * @throws RefusedRequestException if it is damaged, too large or encoded in another way
     */
    public InputRequest unzipped(int maxBytes) {
      switch (head.header("Content-Encoding").orElse("").strip().toLowerCase(Locale.ROOT)) {
        case "", "identity" -> {
          if (length > maxBytes) {
            throw tooLarge(maxBytes);
          }
          return this;
        }
        case "gzip", "x-gzip" -> {
          try {
            Gunzip gunzip = Gunzip.of(body, length, maxBytes, take);
            if (gunzip == null) {
              throw tooManyBytes();
            }
            return new InputRequest(head, client, gunzip.bytes(), gunzip.length(), take);
          } catch (IOException e) {
            throw new RefusedRequestException("the body is not gzip, or is cut off");
          } catch (Gunzip.TooLargeException e) {
            throw tooLarge(maxBytes);
          }
        }
        default ->
            throw new RefusedRequestException(415, "expected: Content-Encoding gzip or none");
      }
    }

    /**
     * The same with its body as it was before snappy's block format, also if no encoding is named.
     *
     * @throws RefusedRequestException if it is damaged, too large or encoded in another way
     */
    public InputRequest unsnapped(int maxBytes) {
      String encoding = head.header("Content-Encoding").orElse("snappy").strip();
      if (!encoding.equalsIgnoreCase("snappy")) {
        throw new RefusedRequestException(415, "expected: Content-Encoding snappy");
      }
      int plain = SnappyBlock.length(body, length);
      if (plain > maxBytes) {
        throw tooLarge(maxBytes);
      }
      if (plain > 0 && !take.test(plain)) {
        throw tooManyBytes();
      }
      byte[] decoded = SnappyBlock.decompress(body, length);
      if (decoded == null) {
        throw new RefusedRequestException("the body is not a snappy block, or it is damaged");
      }
      return new InputRequest(head, client, decoded, decoded.length, take);
    }

    /**
     * Begins to take readings.
     *
     * @throws RefusedRequestException if there is no room for them
     */
    public Delivery begin(Intake intake) {
      if (!intake.sink().hasRoom()) {
        throw new RefusedRequestException(503, "the spool is full or fails");
      }
      return intake.begin().from(client.sender(head.sender()));
    }

    private static RefusedRequestException tooLarge(int maxBytes) {
      return new RefusedRequestException(
          413, "the body is larger than weir.edge.max.decoded.bytes, " + maxBytes);
    }

    private static RefusedRequestException tooManyBytes() {
      return new RefusedRequestException(503, "too many bytes of requests in flight");
    }
  }

  /** Answers when the readings are on disk, or 503 when their time has run out. */
  default void answerStored(
      InputRequest request, Delivery delivery, HttpReply reply, Consumer<HttpReply> answer) {
    CompletableFuture<Void> stored = delivery.finish();
    HttpReply late =
        error(request.head(), 503, "the readings are not on disk in time; send them again");
    if (delivery.hasFailed()) {
      answer.accept(late);
      return;
    }
    stored
        .orTimeout(Math.max(1, delivery.nanosLeft()), TimeUnit.NANOSECONDS)
        .whenComplete((done, ranOut) -> answer.accept(ranOut == null ? reply : late));
  }
}
