package io.weir.lab.oracle;

import com.google.protobuf.Message;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Records of one partition of Weir's topics, as a consumer would have them. */
final class TopicRecords {
  private final int partition;
  private final Map<Topic, Long> ends = new EnumMap<>(Topic.class);

  TopicRecords(int partition) {
    this.partition = partition;
  }

  ConsumerRecord<byte[], byte[]> of(Topic topic, long appendMs, String key, Message value) {
    return of(topic, appendMs, key, value.toByteArray(), new RecordHeaders());
  }

  ConsumerRecord<byte[], byte[]> tick(Topic topic, long appendMs) {
    Headers headers = new RecordHeaders().add("weir.tick", new byte[0]);
    return of(topic, appendMs, null, new byte[0], headers);
  }

  ConsumerRecord<byte[], byte[]> of(
      Topic topic, long appendMs, String key, byte[] value, Headers headers) {
    long offset = ends.merge(topic, 1L, Long::sum) - 1;
    return new ConsumerRecord<>(
        TopicNames.ALL.of(topic),
        partition,
        offset,
        appendMs,
        TimestampType.LOG_APPEND_TIME,
        0,
        value.length,
        key == null ? null : key.getBytes(StandardCharsets.UTF_8),
        value,
        headers,
        Optional.empty());
  }
}
