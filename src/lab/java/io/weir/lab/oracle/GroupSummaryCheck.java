package io.weir.lab.oracle;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.GroupSummary;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A partition of weir.group-parts and weir.groups: whether each expected summary of a group is
 * there, up to where the application had read. Records of a topic are taken in their order, topics
 * in any. One thread.
 */
public final class GroupSummaryCheck {
  private final TopicNames topics;
  private final NaiveEventRules rules;
  private final long readTo;
  private final PartsCheck parts;
  private final LogTime time;
  private final NaiveGroups groups;
  private final OwedMessages<GroupSummary> summaries;
  private final Map<String, Integer> revisions = new HashMap<>();
  private final Findings broken = new Findings();
  private long unread;

  /**
   * @param readTo up to which offset of the parts the application had read when it was stopped
   * @param parts receives each part
   */
  public GroupSummaryCheck(
      TopicNames topics, NaiveEventRules rules, int partition, long readTo, PartsCheck parts) {
    this.topics = topics;
    this.rules = rules;
    this.readTo = readTo;
    this.parts = parts;
    this.time = new LogTime(rules.longestGroupGapMs());
    this.summaries =
        new OwedMessages<>(
            "summary of a group in partition " + partition,
            summary -> name(summary) + " " + summary.getRevision());
    this.groups = new NaiveGroups(rules, summaries::expect);
  }

  private static String name(GroupSummary summary) {
    return summary.getGroup() + " " + summary.getWindowStartMs();
  }

  /** Takes a record of either topic. */
  public void take(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.topic().equals(topics.of(Topic.GROUP_PARTS))) {
        part(record);
      } else if (record.topic().equals(topics.of(Topic.GROUPS))) {
        summary(GroupSummary.parseFrom(record.value()));
      }
    } catch (InvalidProtocolBufferException e) {
      broken.wrongRecord(record.topic() + " offset " + record.offset() + ": " + e.getMessage());
    }
  }

  private void part(ConsumerRecord<byte[], byte[]> record) throws InvalidProtocolBufferException {
    boolean isPart = record.value().length > 0;
    WindowSummary part = isPart ? WindowSummary.parseFrom(record.value()) : null;
    if (isPart) {
      parts.part(part);
      requirePlace(record, part);
    }
    if (record.offset() >= readTo) {
      unread += isPart ? 1 : 0;
      return;
    }
    time.record(record.timestamp());
    groups.passed(time.nowMs());
    if (isPart) {
      groups.take(rules.groupOf(part.getSensorId()), part, time.nowMs());
    }
  }

  /** It lies with its group. */
  private void requirePlace(ConsumerRecord<byte[], byte[]> record, WindowSummary part) {
    String group = rules.groupOf(part.getSensorId());
    boolean isThere =
        SensorPartition.of(group) == record.partition()
            && Arrays.equals(record.key(), group.getBytes(StandardCharsets.UTF_8));
    if (!isThere) {
      broken.wrongRecord(record.topic() + " offset " + record.offset() + ": not of " + group);
    }
  }

  private void summary(GroupSummary summary) {
    summaries.found(summary);
    int last = revisions.getOrDefault(name(summary), -1);
    if (summary.getRevision() != last + 1) {
      broken.wrongRecord(name(summary) + ": revision " + summary.getRevision() + " after " + last);
    }
    revisions.put(name(summary), summary.getRevision());
  }

  /** Everything that differs. */
  public Findings findings() {
    Findings findings = new Findings();
    findings.add(broken);
    summaries.report(findings);
    return findings;
  }

  /** Adds parts that were not read, and windows that changed and were not emitted since. */
  public Waits waiting(Waits waits) {
    waits.add("unread parts of groups", unread);
    waits.add("windows of groups", groups.pending());
    return waits;
  }

  /** Windows of groups that there were. */
  public long windows() {
    return groups.windows();
  }

  /** Summaries of groups. */
  public long summaries() {
    return summaries.found();
  }

  /** Parts that came for a window that was dropped. */
  public long tooLate() {
    return groups.tooLate();
  }
}
