package io.weir.topic;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;

/** Waits for answers of an {@code Admin}. Any thread may call. */
public final class KafkaFutures {
  private KafkaFutures() {}

  /**
   * Waits for an answer; the request's own timeout bounds it.
   *
   * @throws KafkaException why there is none, as the client said it
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
