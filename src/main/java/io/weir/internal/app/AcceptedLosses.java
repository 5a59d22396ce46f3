package io.weir.internal.app;

import com.google.protobuf.ByteString;
import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.wire.ControlOrder;
import io.weir.internal.wire.UndecodableException;
import io.weir.v1.AcceptedLoss;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The losses that operators have accepted, from the control topic. Reads the topic at each call,
 * which happens only after a loss. Safe for many threads.
 */
public final class AcceptedLosses {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptedLosses.class);
  private static final Duration POLL = Duration.ofMillis(500);

  private final String control;
  private final Supplier<Consumer<byte[], byte[]>> consumers;

  /**
   * @param control the control topic
   * @param consumers creates a consumer without a group, which does not create topics; closed after
   *     use
   */
  public AcceptedLosses(String control, Supplier<Consumer<byte[], byte[]>> consumers) {
    this.control = control;
    this.consumers = consumers;
  }

  /** Those of the control topic of an application. */
  static AcceptedLosses of(WeirConfig config) {
    Map<String, Object> client = config.kafka().forReader("earliest");
    client.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    return new AcceptedLosses(
        config.topics().control(),
        () -> BoundedConsumer.open(client, config.maxDecompressedRecordBytes()));
  }

  /**
   * The offset at which reading continues after the end of a state; empty if its loss was not
   * accepted.
   *
   * @param life of the state; 0 for none
   */
  public OptionalLong nextOffset(
      String applicationId, Uuid topicId, int partition, long life, long stateEnd) {
    OptionalLong next = OptionalLong.empty();
    for (AcceptedLoss loss : of(applicationId, topicId, partition)) {
      if (loss.getLife() == life && loss.getStateEnd() == stateEnd) {
        next = OptionalLong.of(loss.getNextOffset());
      }
    }
    return next;
  }

  /**
   * The accepted losses of an application's partition; empty if the topic is missing or not
   * readable.
   */
  public List<AcceptedLoss> of(String applicationId, Uuid topicId, int partition) {
    return of(applicationId, topicId).stream()
        .filter(loss -> loss.getPartition() == partition)
        .toList();
  }

  /** The accepted losses of an application's partitions, as in {@link #of(String, Uuid, int)}. */
  List<AcceptedLoss> of(String applicationId, Uuid topicId) {
    ByteString id = bytes(topicId);
    List<AcceptedLoss> losses = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      List<?> known = consumer.partitionsFor(control);
      if (known == null || known.isEmpty()) {
        return losses;
      }
      TopicPartition orders = new TopicPartition(control, 0);
      consumer.assign(List.of(orders));
      consumer.seekToBeginning(List.of(orders));
      long end = consumer.endOffsets(List.of(orders)).get(orders);
      while (consumer.position(orders) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          AcceptedLoss loss = loss(record);
          if (loss.getTopicId().equals(id) && loss.getApplicationId().equals(applicationId)) {
            losses.add(loss);
          }
        }
      }
    } catch (AuthorizationException e) {
      LOG.warn("could not read accepted losses: {}", e.getMessage());
    }
    return losses;
  }

  private static AcceptedLoss loss(ConsumerRecord<byte[], byte[]> record) {
    try {
      AcceptedLoss loss = ControlOrder.of(record.value()).getAcceptedLoss();
      return loss.getNextOffset() < 0 ? AcceptedLoss.getDefaultInstance() : loss;
    } catch (UndecodableException e) {
      return AcceptedLoss.getDefaultInstance();
    }
  }

  /** A topic id in the form of an order. */
  static ByteString bytes(Uuid topicId) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
    bytes.putLong(topicId.getMostSignificantBits()).putLong(topicId.getLeastSignificantBits());
    return ByteString.copyFrom(bytes.flip());
  }
}
