package io.weir.internal.registry;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** Reads the text of an answer up to a limit that no schema needs. */
final class LimitedBody implements BodySubscriber<String> {
  static final int MAX_BYTES = 1 << 20;

  /** An answer exceeds the limit. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;

    TooLongException() {
      super("more than " + MAX_BYTES + " bytes");
    }
  }

  private final CompletableFuture<String> text = new CompletableFuture<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Subscription subscription;

  @Override
  public CompletionStage<String> getBody() {
    return text;
  }

  @Override
  public void onSubscribe(Subscription begun) {
    subscription = begun;
    begun.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      if (text.isDone()) {
        return;
      }
      if (bytes.size() + part.remaining() > MAX_BYTES) {
        subscription.cancel();
        text.completeExceptionally(new TooLongException());
        return;
      }
      byte[] copy = new byte[part.remaining()];
      part.get(copy);
      bytes.writeBytes(copy);
    }
  }

  @Override
  public void onError(Throwable failure) {
    text.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    text.complete(bytes.toString(StandardCharsets.UTF_8));
  }
}
