package io.weir.cli.doctor;

import io.weir.topic.KafkaFutures;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A right of every user that no user should have.
 *
 * @param resource kind and name
 * @param why its risk
 * @param command a command that removes it
 */
record WideRight(AclOperation operation, String resource, String why, String command) {
  private static final Set<AclOperation> ON_TOPICS =
      Set.of(
          AclOperation.WRITE,
          AclOperation.ALL,
          AclOperation.DELETE,
          AclOperation.ALTER,
          AclOperation.ALTER_CONFIGS);
  private static final Set<AclOperation> ON_GROUPS =
      Set.of(AclOperation.READ, AclOperation.ALL, AclOperation.DELETE);
  private static final Set<AclOperation> ON_TRANSACTIONS =
      Set.of(AclOperation.WRITE, AclOperation.ALL);
  private static final Set<AclOperation> ON_THE_CLUSTER =
      Set.of(
          AclOperation.ALL,
          AclOperation.ALTER,
          AclOperation.ALTER_CONFIGS,
          AclOperation.CLUSTER_ACTION);

  /** Such rights on the topics and programs; empty if this user may not list ACLs. */
  static List<WideRight> of(Examination cluster) {
    Collection<AclBinding> bindings;
    try {
      bindings = KafkaFutures.await(cluster.admin().describeAcls(AclBindingFilter.ANY).values());
    } catch (SecurityDisabledException | AuthorizationException e) {
      return List.of(); // Without an authorizer there are no rights; without DESCRIBE no list.
    }
    return bindings.stream()
        .filter(binding -> binding.entry().principal().equals("User:*"))
        .filter(binding -> binding.entry().permissionType() == AclPermissionType.ALLOW)
        .flatMap(binding -> look(cluster, binding.pattern(), binding.entry().operation()))
        .toList();
  }

  private static Stream<WideRight> look(
      Examination cluster, ResourcePattern pattern, AclOperation operation) {
    List<String> groups =
        cluster.programs().stream().map(watched -> watched.program().group()).toList();
    return switch (pattern.resourceType()) {
      case TOPIC ->
          only(
              ON_TOPICS.contains(operation) && covers(pattern, cluster.topics().keySet()),
              new WideRight(
                  operation,
                  "topics " + pattern.name(),
                  "anyone who can connect to the brokers can forge or delete readings, windows or state",
                  remove(operation, "--topic", pattern)));
      case GROUP ->
          only(
              ON_GROUPS.contains(operation) && covers(pattern, groups),
              new WideRight(
                  operation,
                  "group " + pattern.name(),
                  "anyone who can connect to the brokers can join the group, or change its offsets",
                  remove(operation, "--group", pattern)));
      case TRANSACTIONAL_ID ->
          only(
              ON_TRANSACTIONS.contains(operation) && coversOneOf(pattern, groups),
              new WideRight(
                  operation,
                  "transactional ids " + pattern.name(),
                  "anyone who can connect to the brokers can fence the producers of weir run, again and again",
                  remove(operation, "--transactional-id", pattern)));
      case CLUSTER ->
          only(
              ON_THE_CLUSTER.contains(operation),
              new WideRight(
                  operation,
                  "the cluster",
                  "anyone who can connect to the brokers can grant any right",
                  remove(operation, "--cluster", pattern)));
      default -> Stream.empty();
    };
  }

  private static Stream<WideRight> only(boolean isWide, WideRight right) {
    return isWide ? Stream.of(right) : Stream.empty();
  }

  private static boolean covers(ResourcePattern pattern, Collection<String> names) {
    return names.stream()
        .anyMatch(
            name ->
                pattern.name().equals("*")
                    || (pattern.patternType() == PatternType.PREFIXED
                        ? name.startsWith(pattern.name())
                        : name.equals(pattern.name())));
  }

  /** The transactional ids of an application begin with its name and a dash. */
  private static boolean coversOneOf(ResourcePattern pattern, Collection<String> applications) {
    return covers(pattern, applications)
        || applications.stream().anyMatch(id -> pattern.name().startsWith(id + "-"));
  }

  private static String remove(AclOperation operation, String option, ResourcePattern pattern) {
    String name = pattern.resourceType() == ResourceType.CLUSTER ? "" : " '" + pattern.name() + "'";
    String type =
        pattern.patternType() == PatternType.PREFIXED
            ? " --resource-pattern-type " + PatternType.PREFIXED.name().toLowerCase(Locale.ROOT)
            : "";
    return "kafka-acls.sh --remove --allow-principal 'User:*' --operation "
        + operation
        + " "
        + option
        + name
        + type;
  }
}
