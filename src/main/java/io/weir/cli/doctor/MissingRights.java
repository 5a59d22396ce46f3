package io.weir.cli.doctor;

import io.weir.internal.app.Acl;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;

/**
 * The rights that a program needs and this user lacks, as far as read-only requests show. Rights
 * that they cannot show, such as the right to a group that does not exist yet, do not count as
 * missing.
 */
final class MissingRights {
  private final Examination cluster;

  MissingRights(Examination cluster) {
    this.cluster = cluster;
  }

  /** The rights as text: operation and resource. */
  List<String> of(ObservedProgram watched) {
    Map<String, Optional<Set<AclOperation>>> topics = new HashMap<>();
    List<String> lacking = new ArrayList<>();
    for (Acl right : watched.program().rights()) {
      boolean isMissing =
          switch (right.resource()) {
            case TOPIC ->
                right.operation() == AclOperation.CREATE
                    ? lacksCreate(right.name())
                    : topics
                        .computeIfAbsent(right.name(), this::onTopic)
                        .filter(allowed -> !allowed.contains(right.operation()))
                        .isPresent();
            case GROUP -> lacksGroup(watched, right);
            case TRANSACTIONAL_ID -> lacksTransactions(right.name());
            default -> false;
          };
      String text =
          right.operation()
              + " on "
              + switch (right.resource()) {
                case GROUP -> "group ";
                case TRANSACTIONAL_ID -> "transactional ids that begin with ";
                default -> "";
              }
              + right.name();
      if (isMissing && !lacking.contains(text)) {
        lacking.add(text);
      }
    }
    return lacking;
  }

  /** The allowed operations; empty if unknown. */
  private Optional<Set<AclOperation>> onTopic(String name) {
    DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
    try {
      return Optional.ofNullable(
          KafkaFutures.await(cluster.admin().describeTopics(List.of(name), options).allTopicNames())
              .get(name)
              .authorizedOperations());
    } catch (AuthorizationException e) {
      return Optional.of(Set.of());
    } catch (KafkaException e) {
      return Optional.empty(); // It does not exist.
    }
  }

  /** Validates only, for topics that do not exist yet; creates nothing. */
  private boolean lacksCreate(String name) {
    if (cluster.topics().containsKey(name)) {
      return false;
    }
    NewTopic topic =
        new NewTopic(name, Optional.of(SensorPartition.COUNT), Optional.<Short>empty());
    try {
      KafkaFutures.await(
          cluster
              .admin()
              .createTopics(List.of(topic), new CreateTopicsOptions().validateOnly(true))
              .all());
      return false;
    } catch (AuthorizationException e) {
      return true;
    } catch (KafkaException e) {
      return false; // Another reason, which the check of topics reports.
    }
  }

  private static boolean lacksGroup(ObservedProgram watched, Acl right) {
    if (watched.sight() == ObservedProgram.Sight.FORBIDDEN) {
      return true;
    }
    return watched.group().stream()
        .anyMatch(
            group ->
                group.authorizedOperations() != null
                    && !group.authorizedOperations().contains(right.operation()));
  }

  /** WRITE implies DESCRIBE; another right that implies it is not detected. */
  private boolean lacksTransactions(String prefix) {
    String id = prefix + "0";
    try {
      KafkaFutures.await(cluster.admin().describeTransactions(List.of(id)).description(id));
      return false;
    } catch (TransactionalIdAuthorizationException e) {
      return true;
    } catch (KafkaException e) {
      return false; // No such transaction: this user has the right.
    }
  }
}
