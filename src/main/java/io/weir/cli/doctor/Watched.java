package io.weir.cli.doctor;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * A program, its group and how far it has read, at two moments.
 *
 * @param isVisible whether this user may look at the group; else nothing is known of it
 * @param group empty where there is none
 * @param before offsets at the first look
 * @param after offsets at the second
 */
record Watched(
    Program program,
    boolean isVisible,
    Optional<ConsumerGroupDescription> group,
    Offsets before,
    Offsets after) {

  /** Asks for the group. */
  static Watched of(Admin admin, Program program, Offsets before, Offsets after) {
    try {
      return new Watched(program, true, describe(admin, program.group()), before, after);
    } catch (GroupAuthorizationException e) {
      return new Watched(program, false, Optional.empty(), before, after);
    }
  }

  private static Optional<ConsumerGroupDescription> describe(Admin admin, String id) {
    DescribeConsumerGroupsOptions options =
        new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true);
    try {
      return Optional.ofNullable(
          io.weir.topic.KafkaFutures.await(admin.describeConsumerGroups(List.of(id), options).all())
              .get(id));
    } catch (GroupIdNotFoundException e) {
      return Optional.empty();
    }
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

  /** The member that has a partition, for messages: client id and host. */
  String owner(TopicPartition partition) {
    return group.stream()
        .flatMap(of -> of.members().stream())
        .filter(member -> member.assignment().topicPartitions().contains(partition))
        .map(member -> member.clientId() + " on " + member.host())
        .findFirst()
        .orElse("nobody");
  }
}
