package io.weir.cli.doctor;

import io.weir.topic.KafkaFutures;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * A program, its group and its committed offsets, at two samples.
 *
 * @param sight whether the group could be described
 * @param earlier the group at the first sample
 * @param group the group at the second; empty if it does not exist
 * @param before offsets at the first sample
 * @param after offsets at the second
 */
record ObservedProgram(
    Program program,
    Sight sight,
    Optional<ConsumerGroupDescription> earlier,
    Optional<ConsumerGroupDescription> group,
    Offsets before,
    Offsets after) {

  /**
   * The suffix that Kafka Streams appends to the name of an instance; weir evict expects the name.
   */
  private static final Pattern THREAD = Pattern.compile("-StreamThread-[0-9]+-consumer$");

  /** The result of describing a group. */
  enum Sight {
    SEEN,
    /** This user lacks the right. */
    FORBIDDEN,
    /** Its coordinator did not answer. */
    SILENT
  }

  /** The first sample: the group and its committed offsets. */
  static ObservedProgram of(Admin admin, Program program, Offsets now) {
    try {
      Optional<ConsumerGroupDescription> group = describe(admin, program.group());
      Offsets read = now.readBy(admin, program.group());
      return new ObservedProgram(program, Sight.SEEN, group, group, read, read);
    } catch (GroupAuthorizationException e) {
      return unseen(program, Sight.FORBIDDEN, now);
    } catch (RetriableException e) {
      return unseen(program, Sight.SILENT, now);
    }
  }

  private static ObservedProgram unseen(Program program, Sight sight, Offsets now) {
    return new ObservedProgram(program, sight, Optional.empty(), Optional.empty(), now, now);
  }

  /** Adds a second sample; only partitions that answered in both. */
  ObservedProgram then(ObservedProgram second) {
    Sight both = isVisible() ? second.sight : sight;
    Set<TopicPartition> seen = new HashSet<>(before.end().keySet());
    seen.retainAll(second.after.end().keySet());
    return new ObservedProgram(
        program, both, group, second.group, before.only(seen), second.after.only(seen));
  }

  boolean isVisible() {
    return sight == Sight.SEEN;
  }

  /** Whether the group was stable at both samples. */
  boolean isStable() {
    return isStable(earlier) && isStable(group);
  }

  private static boolean isStable(Optional<ConsumerGroupDescription> group) {
    return group.filter(found -> found.groupState() == GroupState.STABLE).isPresent();
  }

  /**
   * Partitions with lag at the first sample, without progress until the second, and with the same
   * member; empty if the group was not stable.
   */
  List<TopicPartition> stalled() {
    return isStable()
        ? partitions().stream()
            .filter(p -> before.lag(p) > 0 && !hasMoved(p) && hasStayed(p))
            .toList()
        : List.of();
  }

  /** Whether the partition had the same member, or none, at both samples. */
  boolean hasStayed(TopicPartition partition) {
    return memberOf(earlier, partition).equals(memberOf(group, partition));
  }

  boolean isOwned(TopicPartition partition) {
    return memberOf(group, partition).isPresent();
  }

  private static Optional<String> memberOf(
      Optional<ConsumerGroupDescription> group, TopicPartition partition) {
    return group.stream()
        .flatMap(found -> found.members().stream())
        .filter(member -> member.assignment().topicPartitions().contains(partition))
        .map(MemberDescription::consumerId)
        .findFirst();
  }

  /** Whether its committed offset changed between the samples. */
  boolean hasMoved(TopicPartition partition) {
    return !Objects.equals(before.committed().get(partition), after.committed().get(partition));
  }

  private static Optional<ConsumerGroupDescription> describe(Admin admin, String id) {
    DescribeConsumerGroupsOptions options =
        new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true);
    try {
      return Optional.ofNullable(
          KafkaFutures.await(admin.describeConsumerGroups(List.of(id), options).all()).get(id));
    } catch (GroupIdNotFoundException e) {
      return Optional.empty();
    }
  }

  /** The number of its records that were read between the samples. */
  long read(TopicPartition partition) {
    Long now = after.committed().get(partition);
    long first = before.first().getOrDefault(partition, 0L);
    return now == null ? 0 : Math.max(0, now - before.committed().getOrDefault(partition, first));
  }

  /** The partitions of its inputs. */
  List<TopicPartition> partitions() {
    return program.inputs().stream().flatMap(input -> after.of(input).stream()).toList();
  }

  /** A partition, for messages; with its topic if the program has several inputs. */
  String text(TopicPartition partition) {
    return program.inputs().size() == 1
        ? Integer.toString(partition.partition())
        : partition.toString();
  }

  /** The member of a partition, for messages: its instance or client id, and its host. */
  String owner(TopicPartition partition) {
    return group.stream()
        .flatMap(found -> found.members().stream())
        .filter(member -> member.assignment().topicPartitions().contains(partition))
        .map(ObservedProgram::name)
        .findFirst()
        .orElse("no member");
  }

  /** The members at the first sample, for messages. */
  Set<String> membersBefore() {
    return earlier.stream()
        .flatMap(found -> found.members().stream())
        .map(ObservedProgram::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(MemberDescription member) {
    return THREAD.matcher(member.clientId()).replaceFirst("") + " on " + member.host();
  }
}
