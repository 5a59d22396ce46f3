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
 * The users and client ids of Weir's programs.
 *
 * @param users the user of this command's settings, and users with READ on a group of Weir
 * @param ids client ids of the members of its groups
 */
record Clients(Set<String> users, Set<String> ids) {
  private static final Pattern USERNAME = Pattern.compile("\\busername=\"?([^\"\\s;]+)");
  private static final String USER = "User:";

  static Clients of(Examination cluster) {
    Set<String> users = new TreeSet<>();
    Object login = cluster.config().kafka().forAdmin().get(SaslConfigs.SASL_JAAS_CONFIG);
    if (login != null) {
      Matcher name = USERNAME.matcher(login.toString());
      if (name.find()) {
        users.add(name.group(1));
      }
    }
    Set<String> ids = new TreeSet<>();
    for (ObservedProgram program : cluster.programs()) {
      readers(cluster, program.program().group(), users);
      program.group().stream()
          .flatMap(group -> group.members().stream())
          .forEach(member -> ids.add(member.clientId()));
    }
    return new Clients(users, ids);
  }

  /** Adds no user without an authorizer, or if this user may not list ACLs. */
  private static void readers(Examination cluster, String group, Set<String> users) {
    AclBindingFilter filter =
        new AclBindingFilter(
            new ResourcePatternFilter(ResourceType.GROUP, group, PatternType.MATCH),
            new AccessControlEntryFilter(null, null, AclOperation.ANY, AclPermissionType.ALLOW));
    try {
      for (AclBinding right : KafkaFutures.await(cluster.admin().describeAcls(filter).values())) {
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

  /**
   * The client id of the producer that belongs to a consumer of Kafka Streams; returns other ids
   * unchanged.
   */
  static String producer(String id) {
    return id.endsWith("-consumer")
        ? id.substring(0, id.length() - "consumer".length()) + "producer"
        : id;
  }
}
