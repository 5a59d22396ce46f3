package io.weir.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Credentials where others can read them: arguments of a process are in the list of processes. */
public final class ArgumentSecrets {
  /** By the ends of names: a path to a login configuration is no secret. */
  private static final Pattern SECRET =
      Pattern.compile("(?i)(password|passphrase|secret|token|jaas\\.config|user\\.info)$");

  private ArgumentSecrets() {}

  /**
   * One line for each system property of the JVM that is named like a secret or holds an address
   * with a password.
   *
   * @param jvmArguments as the JVM was given them, {@code -Dname=value} among others
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
                  + " holds a credential, and everybody on this machine can read the arguments of a"
                  + " process: use a setting's _FILE variable");
        }
      }
    }
    return warnings;
  }

  /** One line for each option that holds a secret. */
  static List<String> ofOptions(Map<Key<?>, String> options) {
    List<String> warnings = new ArrayList<>();
    options.forEach(
        (key, value) -> {
          if (isSecret(key.name(), value)) {
            warnings.add(
                key.optionName()
                    + " holds a credential, and everybody on this machine can read the arguments of"
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
