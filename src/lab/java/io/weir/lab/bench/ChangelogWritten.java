package io.weir.lab.bench;

import io.weir.topic.KafkaFutures;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * What a run appended to its changelogs. The size of their logs does not show it: compaction
 * removes records meanwhile. The producers know what they sent, and the offsets beyond their
 * records are the markers of transactions.
 */
final class ChangelogWritten {
  /** A batch of its own, with one record: key and value of fixed length. */
  private static final int MARKER_BYTES = 78;

  private ChangelogWritten() {}

  /**
   * @param readings of the whole run
   * @param ofWeir what Weir said; a build that does not know so much says its bytes over the whole
   *     run and nothing of markers
   */
  static double perReading(Admin admin, String run, double readings, Figures ofWeir) {
    double sent =
        ofWeir
            .get(Figure.CHANGELOG_WARM_BYTES_PER_READING)
            .orElseGet(() -> ofWeir.get(Figure.CHANGELOG_BYTES_PER_READING).orElseThrow());
    long ends = ends(admin, run);
    double records = ofWeir.get(Figure.CHANGELOG_RECORDS).orElse(ends);
    return sent + Math.max(0, ends - records) * MARKER_BYTES / readings;
  }

  /** The sum of where the partitions of a run's changelogs end. */
  private static long ends(Admin admin, String run) {
    Collection<String> changelogs =
        KafkaFutures.await(admin.listTopics().names()).stream()
            .filter(topic -> topic.startsWith(run) && topic.endsWith("-changelog"))
            .toList();
    Collection<TopicDescription> topics =
        KafkaFutures.await(admin.describeTopics(changelogs).allTopicNames()).values();
    Map<TopicPartition, OffsetSpec> latest =
        topics.stream()
            .flatMap(
                topic ->
                    IntStream.range(0, topic.partitions().size())
                        .mapToObj(partition -> new TopicPartition(topic.name(), partition)))
            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
    return KafkaFutures.await(admin.listOffsets(latest).all()).values().stream()
        .mapToLong(ListOffsetsResultInfo::offset)
        .sum();
  }
}
