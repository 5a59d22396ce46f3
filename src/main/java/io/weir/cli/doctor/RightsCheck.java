package io.weir.cli.doctor;

import io.weir.internal.app.Acl;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Finds rights of every user, and rights of the commands that this command's user lacks; run it
 * with the credentials of each command.
 */
final class RightsCheck implements Check {
  @Override
  public String name() {
    return "rights";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    MissingRights missing = new MissingRights(cluster);
    for (ObservedProgram watched : cluster.programs()) {
      List<String> lacking = missing.of(watched);
      if (!lacking.isEmpty()) {
        String command = watched.program().command();
        findings.add(
            risk(
                "this user lacks "
                    + Offsets.list(lacking, right -> right)
                    + ", which "
                    + command
                    + " needs",
                "if " + command + " has the same user, it does not start, or stops",
                "kafka-acls.sh --add for each; run weir doctor with the credentials of "
                    + command
                    + " (docs/reference/rights.md lists the minimum rights)"));
      }
    }
    for (WideRight wide : WideRight.of(cluster)) {
      findings.add(
          broken(
              "every user (User:*) may " + wide.operation() + " on " + wide.resource(),
              wide.why(),
              "remove it: " + wide.command() + "; docs/reference/rights.md lists the rights"));
    }
    return findings;
  }

  /**
   * The rights that a program needs and this user lacks, as far as read-only requests show. Rights
   * that they cannot show, such as the right to a group that does not exist yet, do not count as
   * missing.
   */
  static final class MissingRights {
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
            KafkaFutures.await(
                    cluster.admin().describeTopics(List.of(name), options).allTopicNames())
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
      String name =
          pattern.resourceType() == ResourceType.CLUSTER ? "" : " '" + pattern.name() + "'";
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
}
