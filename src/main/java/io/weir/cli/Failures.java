package io.weir.cli;

import io.weir.app.ConfigException;
import java.util.regex.Pattern;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** How a command ends that cannot do what it was asked: one clear line, and a status. */
final class Failures {
  static final int FAILED = 1;
  static final int WRONG_USAGE = 2;

  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
  private static final Pattern LINE_BREAKS = Pattern.compile("\\s*\\R\\s*");

  private Failures() {}

  static int wrongUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    say(command, name + ": " + e.getMessage() + " (see " + name + " --help)");
    return WRONG_USAGE;
  }

  static int failed(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof OutputClosedException) {
      return 0; // Whoever read the results has read enough.
    }
    LOG.debug("the command failed", e);
    say(command, command.getCommandSpec().qualifiedName() + ": " + text(e));
    return e instanceof ConfigException ? WRONG_USAGE : FAILED;
  }

  private static String text(Exception e) {
    if (e instanceof TimeoutException) {
      return "no answer from Kafka: " + e.getMessage();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static void say(CommandLine command, String message) {
    command.getErr().println(LINE_BREAKS.matcher(message.strip()).replaceAll(" "));
    command.getErr().flush();
  }
}
