package io.weir.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;

/** Says what a user was not allowed, in one line that names what to allow. */
final class AclAdvice {
  private AclAdvice() {}

  /** That line, if that is what a failure comes of. */
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
        "Kafka does not allow it: "
            + refusal.getMessage()
            + "; needed is "
            + text(concerned(refusal, said.toString(), needed)));
  }

  /** What the refusal may be about: the more it says, the fewer. */
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
        .map(of -> of.getValue() + " on " + of.getKey())
        .collect(Collectors.joining("; "));
  }
}
