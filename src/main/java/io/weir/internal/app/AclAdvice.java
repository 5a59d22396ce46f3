package io.weir.internal.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;

/** Describes an authorization failure in one line, with the right to add. */
final class AclAdvice {
  private AclAdvice() {}

  /** The line, if the cause is an authorization failure. */
  static Optional<String> describe(Throwable failure, List<Acl> needed) {
    StringBuilder said = new StringBuilder();
    AuthorizationException refusal = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      said.append(cause.getMessage()).append(' ');
      if (cause instanceof AuthorizationException found) {
        refusal = found;
      }
    }
    if (refusal == null) {
      return Optional.empty();
    }
    return Optional.of(
        "Kafka denied access: "
            + refusal.getMessage()
            + "; add "
            + text(concerned(refusal, said.toString(), needed)));
  }

  /** The rights that may be missing: fewer if the exception names the resource. */
  private static List<Acl> concerned(
      AuthorizationException refusal, String said, List<Acl> needed) {
    ResourceType resource =
        refusal instanceof GroupAuthorizationException
            ? ResourceType.GROUP
            : refusal instanceof TransactionalIdAuthorizationException
                ? ResourceType.TRANSACTIONAL_ID
                : ResourceType.TOPIC;
    List<Acl> ofKind = needed.stream().filter(right -> right.resource() == resource).toList();
    List<Acl> named = ofKind.stream().filter(right -> said.contains(right.name())).toList();
    return named.isEmpty() ? ofKind : named;
  }

  private static String text(List<Acl> rights) {
    return rights.stream()
        .collect(
            Collectors.groupingBy(
                right -> right.resource().name().toLowerCase(Locale.ROOT) + " " + right.name(),
                LinkedHashMap::new,
                Collectors.mapping(right -> right.operation().name(), Collectors.joining(", "))))
        .entrySet()
        .stream()
        .map(entry -> entry.getValue() + " on " + entry.getKey())
        .collect(Collectors.joining("; "));
  }
}
