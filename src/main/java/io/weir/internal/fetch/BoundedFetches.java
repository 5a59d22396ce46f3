package io.weir.internal.fetch;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchResponse;

/**
 * Limits the decompressed size of fetched batches. Kafka 4.3.1 has no such limit: 500 MB of zeros
 * are 15 kB on the wire, and its consumer allocates the 500 MB before the record can be checked.
 *
 * <p>Every fetch response is checked before the consumer sees it, and a batch beyond the limit is
 * replaced by a {@link OversizedBatch marker} at its last offset. So offsets, transactions and the
 * records around it are not affected. {@link HandedIterator} returns the records.
 *
 * <p>Kafka has no public API for such a check. This class wraps the {@code KafkaClient} of the
 * consumer's network client by reflection: the version of kafka-clients is pinned, and an
 * incompatible version is refused at the start.
 */
public final class BoundedFetches implements InvocationHandler {
  private final KafkaClient client;
  private final BatchCheck check;
  private final PollBudget budget;
  private final int mostWithoutValue;

  private BoundedFetches(
      KafkaClient client, BatchCheck check, PollBudget budget, int mostWithoutValue) {
    this.client = client;
    this.check = check;
    this.budget = budget;
    this.mostWithoutValue = mostWithoutValue;
  }

  /**
   * Sets the limit for a consumer that has not polled yet.
   *
   * @param maxBatchBytes largest size of a batch's records when decompressed
   * @param maxRecordBytes largest size of one of them
   * @throws IllegalStateException if this version of kafka-clients is incompatible
   */
  public static void limit(KafkaConsumer<?, ?> consumer, int maxBatchBytes, int maxRecordBytes) {
    limit(consumer, maxBatchBytes, maxRecordBytes, new PollBudget(Long.MAX_VALUE));
  }

  /**
   * As {@link #limit(KafkaConsumer, int, int)}, for one that reads keys and values within a budget.
   */
  public static void limit(
      KafkaConsumer<?, ?> consumer, int maxBatchBytes, int maxRecordBytes, PollBudget budget) {
    BatchCheck check = new BatchCheck(maxBatchBytes, maxRecordBytes);
    limit(consumer, check, budget, HandedIterator.MOST_WITHOUT_VALUE);
  }

  /** As the others, for topics on which records without value count each. */
  static void limitUnmerged(KafkaConsumer<?, ?> consumer, int maxRecordBytes, PollBudget budget) {
    BatchCheck check = new BatchCheck(Integer.MAX_VALUE, maxRecordBytes);
    limit(consumer, check, budget, HandedIterator.ALL_WITHOUT_VALUE);
  }

  private static void limit(
      KafkaConsumer<?, ?> consumer, BatchCheck check, PollBudget budget, int mostWithoutValue) {
    try {
      Object delegate = field(KafkaConsumer.class, "delegate").get(consumer);
      Object network = field(delegate.getClass(), "client").get(delegate);
      Field clientField = field(network.getClass(), "client");
      KafkaClient client = (KafkaClient) clientField.get(network);
      BoundedFetches bounded = new BoundedFetches(client, check, budget, mostWithoutValue);
      clientField.set(
          network,
          Proxy.newProxyInstance(
              KafkaClient.class.getClassLoader(), new Class<?>[] {KafkaClient.class}, bounded));
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "this version of kafka-clients is not the one that Weir was built with (4.3.1): the size"
              + " of decompressed batches cannot be limited",
          e);
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("send")) {
      arguments[0] = checked((ClientRequest) arguments[0]);
    }
    try {
      return method.invoke(client, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /**
   * The request with a check before its handler. Only what is sent may be changed so: the consumer
   * casts the handlers of requests that are not sent yet to a class of its own when a connection
   * fails.
   */
  private ClientRequest checked(ClientRequest request) {
    if (request.apiKey() != ApiKeys.FETCH) {
      return request;
    }
    RequestCompletionHandler handler = request.callback();
    return new ClientRequest(
        request.destination(),
        request.requestBuilder(),
        request.correlationId(),
        request.makeHeader(request.requestBuilder().latestAllowedVersion()).clientId(),
        request.createdTimeMs(),
        request.expectResponse(),
        request.requestTimeoutMs(),
        response -> {
          if (response.responseBody() instanceof FetchResponse fetched) {
            check(fetched);
          }
          handler.onComplete(response);
        });
  }

  private void check(FetchResponse response) {
    for (FetchableTopicResponse topic : response.data().responses()) {
      for (PartitionData partition : topic.partitions()) {
        if (partition.records() instanceof MemoryRecords records) {
          partition.setRecords(new HandedRecords(check.checked(records), budget, mostWithoutValue));
        }
      }
    }
  }
}
