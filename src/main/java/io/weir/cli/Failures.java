package io.weir.cli;

import io.weir.cli.output.OutputClosedException;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.KafkaAwayException;
import io.weir.internal.app.Keys;
import io.weir.internal.app.LogFormat;
import io.weir.internal.app.Logs;
import io.weir.internal.text.HeaderException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Ends a failed command: prints one line and returns the exit status. */
final class Failures {
  static final int FAILED = 1;
  static final int WRONG_USAGE = 2;

  private Failures() {}

  static int wrongUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    say(command, name + ": " + e.getMessage() + " (see " + name + " --help)");
    return WRONG_USAGE;
  }

  static int failed(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof OutputClosedException) {
      return 0; // The reader of the results closed its pipe.
    }
    log().debug("the command failed", e);
    say(
        command,
        command.getCommandSpec().qualifiedName()
            + ": "
            + text(e, servers(command), remedy(command)));
    // Kafka's clients throw theirs for values of KAFKA_ variables.
    boolean wrongSetting =
        e instanceof ConfigException || e instanceof org.apache.kafka.common.config.ConfigException;
    return wrongSetting ? WRONG_USAGE : FAILED;
  }

  /** Logs an internal error with its stack trace, unless the stop of the process caused it. */
  static void broken(Error e) {
    if (StopSignal.isStopping()) {
      log().warn("stopped during the start");
      log().debug("the start was interrupted", e);
    } else {
      log().error("Unexpected error, shutting down", e);
    }
  }

  private static String servers(CommandLine command) {
    return command.getCommand() instanceof ConfigOptions.Configured configured
        ? configured.configOptions().servers()
        : "";
  }

  private static String text(Exception e, String servers, String remedy) {
    if (e instanceof HeaderException header) {
      return e.getMessage() + TextSummary.suggestion(header.file());
    }
    if (e instanceof TimeoutException) {
      return "no answer from Kafka" + at(servers) + ": " + messageOf(e) + remedy;
    }
    if (e instanceof NoSuchFileException) {
      return e.getMessage() + ": no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return e.getMessage() + ": permission denied";
    }
    // The exception of a Kafka client's constructor has its reason in its cause.
    return e instanceof KafkaException && e.getCause() != null
        ? messageOf(e) + at(servers) + ": " + messageOf(rootOf(e))
        : messageOf(e);
  }

  /** The remedy for a Kafka that does not answer. */
  private static String remedy(CommandLine command) {
    boolean asked =
        command.getCommandSpec().findOption(Keys.BOOTSTRAP_SERVERS.optionName()) != null;
    return asked ? KafkaAwayException.REMEDY : "; the machine may be overloaded";
  }

  private static String at(String servers) {
    return servers.isEmpty() ? "" : " at " + servers + " (weir.bootstrap.servers)";
  }

  private static Throwable rootOf(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static String messageOf(Throwable e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static void say(CommandLine command, String message) {
    String line = message.strip().lines().map(String::strip).collect(Collectors.joining(" "));
    if (Logs.format() != LogFormat.PLAIN) {
      log().error("{}", line);
      return;
    }
    command.getErr().println(line);
    command.getErr().flush();
  }

  /** Not a constant: reading the log's configuration takes longer than a short command. */
  private static Logger log() {
    return LoggerFactory.getLogger(Failures.class);
  }
}
