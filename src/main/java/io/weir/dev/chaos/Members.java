package io.weir.dev.chaos;

import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.TopicPartition;

/** Who has which partitions, as the group's coordinator knows it. */
final class Members {
  private Members() {}

  /** The partitions of the readings topic that an application has; none where nobody can tell. */
  static Set<Integer> partitionsOf(Admin admin, Application application) {
    String threads = application.instanceId() + "-";
    try {
      return admin
          .describeConsumerGroups(Set.of(Application.APPLICATION_ID))
          .describedGroups()
          .get(Application.APPLICATION_ID)
          .get()
          .members()
          .stream()
          .filter(member -> member.groupInstanceId().orElse("").startsWith(threads))
          .map(MemberDescription::assignment)
          .flatMap(assignment -> assignment.topicPartitions().stream())
          .map(TopicPartition::partition)
          .collect(Collectors.toSet());
    } catch (ExecutionException e) {
      return Set.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Set.of();
    }
  }
}
