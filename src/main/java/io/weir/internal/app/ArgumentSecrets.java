package io.weir.internal.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Finds credentials in arguments: other users can read them in the list of processes. */
public final class ArgumentSecrets {
  /** Matches the ends of names: the path of a login configuration is not a secret. */
  private static final Pattern SECRET =
      Pattern.compile("(?i)(password|passphrase|secret|token|jaas\\.config|user\\.info)$");

  private ArgumentSecrets() {}

  /**
   * One line for each system property of the JVM with the name of a secret, or with a password in
   * an address.
   *
   * @param jvmArguments arguments of the JVM, such as {@code -Dname=value}
   */
  public static List<String> warnings(List<String> jvmArguments) {
    List<String> warnings = new ArrayList<>();
    for (String argument : jvmArguments) {
      int equals = argument.indexOf('=');
      if (argument.startsWith("-D") && equals > 0) {
        String name = argument.substring(2, equals);
        if (isSecret(name, argument.substring(equals + 1))) {
          warnings.add(
              "-D"
                  + name
                  + " contains a credential, and every user of this machine can read the arguments of a"
                  + " process: use a setting's _FILE variable");
        }
      }
    }
    return warnings;
  }

  /** One line for each option with a secret. */
  static List<String> ofOptions(Map<Key<?>, String> options) {
    List<String> warnings = new ArrayList<>();
    options.forEach(
        (key, value) -> {
          if (isSecret(key.name(), value)) {
            warnings.add(
                key.optionName()
                    + " contains a credential, and every user of this machine can read the arguments of"
                    + " a process: use "
                    + key.variableName()
                    + Environment.FILE);
          }
        });
    return warnings;
  }

  private static boolean isSecret(String name, String value) {
    return !value.isEmpty()
        && (SECRET.matcher(name).find() || !Secrets.withoutCredentials(value).equals(value));
  }
}
