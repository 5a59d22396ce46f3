package io.weir.cli.doctor;

import io.weir.app.Acl;
import io.weir.topic.KafkaFutures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Rights that everybody has, and rights on topics that this command's user lacks of those that weir
 * run needs: with that user's credentials it says what is missing.
 */
final class RightsCheck implements Check {
  private static final Set<AclOperation> WRITING =
      Set.of(AclOperation.WRITE, AclOperation.ALL, AclOperation.DELETE, AclOperation.ALTER);

  @Override
  public String name() {
    return "rights";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>(missing(of));
    try {
      Collection<AclBinding> bindings =
          KafkaFutures.await(of.admin().describeAcls(AclBindingFilter.ANY).values());
      for (AclBinding binding : bindings) {
        if (isEverybodys(binding) && of.topics().keySet().stream().anyMatch(t -> is(binding, t))) {
          findings.add(
              broken(
                  "everybody (User:*) may "
                      + binding.entry().operation()
                      + " on topics "
                      + binding.pattern().name(),
                  "whoever reaches the brokers can forge readings, windows or state",
                  "take it away: kafka-acls.sh --remove --allow-principal 'User:*' --operation "
                      + binding.entry().operation()
                      + " --topic '"
                      + binding.pattern().name()
                      + "'; docs/operations.md lists the least rights"));
        }
      }
    } catch (SecurityDisabledException | AuthorizationException e) {
      return findings; // Without an authorizer there are no rights; without DESCRIBE no list.
    }
    return findings;
  }

  private static boolean isEverybodys(AclBinding binding) {
    return binding.entry().principal().equals("User:*")
        && binding.entry().permissionType() == AclPermissionType.ALLOW
        && WRITING.contains(binding.entry().operation());
  }

  private static boolean is(AclBinding binding, String topic) {
    String name = binding.pattern().name();
    return binding.pattern().resourceType() == ResourceType.TOPIC
        && (name.equals("*")
            || (binding.pattern().patternType() == PatternType.PREFIXED
                ? topic.startsWith(name)
                : topic.equals(name)));
  }

  private List<Finding> missing(Examination of) {
    Map<String, TopicDescription> topics =
        KafkaFutures.await(
            of.admin()
                .describeTopics(
                    of.topics().keySet(),
                    new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .allTopicNames());
    List<String> lacking =
        Acl.ofRun(of.config().applicationId(), of.config().topics()).stream()
            .filter(right -> right.resource() == ResourceType.TOPIC)
            .filter(right -> topics.containsKey(right.name()))
            .filter(right -> lacks(topics.get(right.name()), right.operation()))
            .map(right -> right.operation() + " on " + right.name())
            .distinct()
            .collect(Collectors.toList());
    if (lacking.isEmpty()) {
      return List.of();
    }
    return List.of(
        risk(
            "this user lacks " + Offsets.list(lacking, right -> right) + ", which weir run needs",
            "if weir run has the same user it does not start, or stops",
            "kafka-acls.sh --add for each; look with the credentials of weir run"
                + " (docs/operations.md lists the least rights)"));
  }

  private static boolean lacks(TopicDescription topic, AclOperation operation) {
    // CREATE is asked of what is not there yet.
    return operation != AclOperation.CREATE
        && topic.authorizedOperations() != null
        && !topic.authorizedOperations().contains(operation);
  }
}
