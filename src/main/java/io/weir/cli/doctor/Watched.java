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
 * A program, its group and how far it has read, at two moments.
 *
 * @param sight whether the group could be looked at; else nothing is known of it
 * @param earlier the group at the first look
 * @param group at the second; empty where there is none
 * @param before offsets at the first look
 * @param after offsets at the second
 */
record Watched(
    Program program,
    Sight sight,
    Optional<ConsumerGroupDescription> earlier,
    Optional<ConsumerGroupDescription> group,
    Offsets before,
    Offsets after) {

  /** What Kafka Streams appends to the name of an instance, which is what weir evict takes. */
  private static final Pattern THREAD = Pattern.compile("-StreamThread-[0-9]+-consumer$");

  /** What came of looking at a group. */
  enum Sight {
    SEEN,
    /** This user may not. */
    FORBIDDEN,
    /** Its coordinator did not answer. */
    SILENT
  }

  /** The first look: the group as it is now, and what it has committed. */
  static Watched of(Admin admin, Program program, Offsets now) {
    try {
      Optional<ConsumerGroupDescription> group = describe(admin, program.group());
      Offsets read = now.readBy(admin, program.group());
      return new Watched(program, Sight.SEEN, group, group, read, read);
    } catch (GroupAuthorizationException e) {
      return unseen(program, Sight.FORBIDDEN, now);
    } catch (RetriableException e) {
      return unseen(program, Sight.SILENT, now);
    }
  }

  private static Watched unseen(Program program, Sight sight, Offsets now) {
    return new Watched(program, sight, Optional.empty(), Optional.empty(), now, now);
  }

  /** The same with a second look; of the partitions that answered at both. */
  Watched then(Watched second) {
    Sight both = isVisible() ? second.sight : sight;
    Set<TopicPartition> seen = new HashSet<>(before.end().keySet());
    seen.retainAll(second.after.end().keySet());
    return new Watched(
        program, both, group, second.group, before.only(seen), second.after.only(seen));
  }

  boolean isVisible() {
    return sight == Sight.SEEN;
  }

  /** Whether the partitions were shared out at both looks. */
  boolean isStable() {
    return isStable(earlier) && isStable(group);
  }

  private static boolean isStable(Optional<ConsumerGroupDescription> group) {
    return group.filter(of -> of.groupState() == GroupState.STABLE).isPresent();
  }

  /**
   * Partitions with records that waited at the first look, and of which none was read until the
   * second, although they did not change hands; none where the group was not stable.
   */
  List<TopicPartition> stalled() {
    return isStable()
        ? partitions().stream()
            .filter(p -> before.lag(p) > 0 && !hasMoved(p) && hasStayed(p))
            .toList()
        : List.of();
  }

  /** Whether the same member had it at both looks, or none had it at both. */
  boolean hasStayed(TopicPartition partition) {
    return memberOf(earlier, partition).equals(memberOf(group, partition));
  }

  boolean isOwned(TopicPartition partition) {
    return memberOf(group, partition).isPresent();
  }

  private static Optional<String> memberOf(
      Optional<ConsumerGroupDescription> group, TopicPartition partition) {
    return group.stream()
        .flatMap(of -> of.members().stream())
        .filter(member -> member.assignment().topicPartitions().contains(partition))
        .map(MemberDescription::consumerId)
        .findFirst();
  }

  /** Whether more of it was committed between the looks. */
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

  /** How many records of it were read between the looks. */
  long read(TopicPartition partition) {
    Long now = after.committed().get(partition);
    long first = before.first().getOrDefault(partition, 0L);
    return now == null ? 0 : Math.max(0, now - before.committed().getOrDefault(partition, first));
  }

  /** Partitions of its inputs. */
  List<TopicPartition> partitions() {
    return program.inputs().stream().flatMap(input -> after.of(input).stream()).toList();
  }

  /** A partition, for messages: with its topic where the program reads several. */
  String text(TopicPartition partition) {
    return program.inputs().size() == 1
        ? Integer.toString(partition.partition())
        : partition.toString();
  }

  /** The member that has a partition, for messages: its instance or client id, and its host. */
  String owner(TopicPartition partition) {
    return group.stream()
        .flatMap(of -> of.members().stream())
        .filter(member -> member.assignment().topicPartitions().contains(partition))
        .map(Watched::name)
        .findFirst()
        .orElse("nobody");
  }

  /** The members at the first look, for messages. */
  Set<String> membersBefore() {
    return earlier.stream()
        .flatMap(of -> of.members().stream())
        .map(Watched::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(MemberDescription member) {
    return THREAD.matcher(member.clientId()).replaceFirst("") + " on " + member.host();
  }
}
