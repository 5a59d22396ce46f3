package io.weir.lab.chaos;

import io.weir.topic.SensorPartition;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/** Who has which partitions, as the group's coordinator knows it. */
final class Members {
  private final Admin admin;
  private final String applicationId;

  Members(Admin admin, String applicationId) {
    this.admin = admin;
    this.applicationId = applicationId;
  }

  /**
   * The partitions of the readings topic that an application has; empty where that is not known.
   */
  Set<Integer> partitionsOf(Application application) {
    String threads = application.instanceId() + "-";
    return group().stream()
        .flatMap(group -> group.members().stream())
        .filter(member -> member.groupInstanceId().orElse("").startsWith(threads))
        .flatMap(Members::partitions)
        .collect(Collectors.toSet());
  }

  /** Whether every partition has an owner and none is about to change it. */
  boolean areSettled() {
    return group()
        .filter(group -> group.groupState() == GroupState.STABLE)
        .map(group -> group.members().stream().flatMap(Members::partitions).count())
        .filter(owned -> owned == SensorPartition.COUNT)
        .isPresent();
  }

  private static Stream<Integer> partitions(MemberDescription member) {
    return member.assignment().topicPartitions().stream().map(TopicPartition::partition);
  }

  private Optional<ConsumerGroupDescription> group() {
    try {
      return Optional.of(
          admin
              .describeConsumerGroups(Set.of(applicationId))
              .describedGroups()
              .get(applicationId)
              .get());
    } catch (ExecutionException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
