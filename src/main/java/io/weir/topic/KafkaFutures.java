package io.weir.topic;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;

/** Waits for responses of an {@code Admin}. Thread-safe. */
public final class KafkaFutures {
  private KafkaFutures() {}

  /**
   * Waits for a response, up to the request's timeout.
   *
   * @throws KafkaException the client's exception if the request failed
   * @throws InterruptException if the thread is interrupted meanwhile
   */
  public static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
    }
  }
}
