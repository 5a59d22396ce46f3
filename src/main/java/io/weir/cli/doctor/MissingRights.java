package io.weir.cli.doctor;

import io.weir.app.Acl;
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
 * What a user may not do of what a program needs, as far as the brokers say so without anything
 * being changed. What they do not say, such as the right to a group that is not there yet, is not
 * counted as missing.
 */
final class MissingRights {
  private final Examination of;

  MissingRights(Examination of) {
    this.of = of;
  }

  /** As text, an operation and what it is on. */
  List<String> of(Watched watched) {
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

  /** What is allowed there; empty where the brokers do not say. */
  private Optional<Set<AclOperation>> onTopic(String name) {
    DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
    try {
      return Optional.ofNullable(
          KafkaFutures.await(of.admin().describeTopics(List.of(name), options).allTopicNames())
              .get(name)
              .authorizedOperations());
    } catch (AuthorizationException e) {
      return Optional.of(Set.of());
    } catch (KafkaException e) {
      return Optional.empty(); // It is not there.
    }
  }

  /** Asked only of what is not there yet, and nothing is created. */
  private boolean lacksCreate(String name) {
    if (of.topics().containsKey(name)) {
      return false;
    }
    NewTopic topic =
        new NewTopic(name, Optional.of(SensorPartition.COUNT), Optional.<Short>empty());
    try {
      KafkaFutures.await(
          of.admin()
              .createTopics(List.of(topic), new CreateTopicsOptions().validateOnly(true))
              .all());
      return false;
    } catch (AuthorizationException e) {
      return true;
    } catch (KafkaException e) {
      return false; // Another reason, which the check of topics names.
    }
  }

  private static boolean lacksGroup(Watched watched, Acl right) {
    if (watched.sight() == Watched.Sight.FORBIDDEN) {
      return true;
    }
    return watched.group().stream()
        .anyMatch(
            group ->
                group.authorizedOperations() != null
                    && !group.authorizedOperations().contains(right.operation()));
  }

  /** Who may write may describe; that some other right lets him do so is not known. */
  private boolean lacksTransactions(String prefix) {
    String id = prefix + "0";
    try {
      KafkaFutures.await(of.admin().describeTransactions(List.of(id)).description(id));
      return false;
    } catch (TransactionalIdAuthorizationException e) {
      return true;
    } catch (KafkaException e) {
      return false; // No such transaction: this user may ask.
    }
  }
}
