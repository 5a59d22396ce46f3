package io.weir.cli.doctor;

import io.weir.topic.KafkaFutures;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Under which names the brokers know Weir's programs.
 *
 * @param users those of this command's settings, and those who may read as a group of Weir
 * @param ids client ids of the members of its groups
 */
record Clients(Set<String> users, Set<String> ids) {
  private static final Pattern USERNAME = Pattern.compile("\\busername=\"?([^\"\\s;]+)");
  private static final String USER = "User:";

  static Clients of(Examination of) {
    Set<String> users = new TreeSet<>();
    Object login = of.config().kafka().forAdmin().get(SaslConfigs.SASL_JAAS_CONFIG);
    if (login != null) {
      Matcher name = USERNAME.matcher(login.toString());
      if (name.find()) {
        users.add(name.group(1));
      }
    }
    Set<String> ids = new TreeSet<>();
    for (Watched program : of.programs()) {
      readers(of, program.program().group(), users);
      program.group().stream()
          .flatMap(group -> group.members().stream())
          .forEach(member -> ids.add(member.clientId()));
    }
    return new Clients(users, ids);
  }

  /** Nobody where there are no rights, or this user may not see them. */
  private static void readers(Examination of, String group, Set<String> users) {
    AclBindingFilter filter =
        new AclBindingFilter(
            new ResourcePatternFilter(ResourceType.GROUP, group, PatternType.MATCH),
            new AccessControlEntryFilter(null, null, AclOperation.ANY, AclPermissionType.ALLOW));
    try {
      for (AclBinding right : KafkaFutures.await(of.admin().describeAcls(filter).values())) {
        String principal = right.entry().principal();
        AclOperation operation = right.entry().operation();
        boolean mayRead = operation == AclOperation.READ || operation == AclOperation.ALL;
        if (mayRead && principal.startsWith(USER) && !principal.equals(USER + "*")) {
          users.add(principal.substring(USER.length()));
        }
      }
    } catch (SecurityDisabledException | AuthorizationException e) {
      return;
    }
  }

  /** The id of the producer beside a consumer of Kafka Streams; another id stays as it is. */
  static String producer(String id) {
    return id.endsWith("-consumer")
        ? id.substring(0, id.length() - "consumer".length()) + "producer"
        : id;
  }
}
