package io.weir.internal.postgres;

import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.postgresql.util.PSQLException;

/**
 * The classes of database failures, by the <a
 * href="https://www.postgresql.org/docs/current/errcodes-appendix.html">SQLSTATE</a>.
 */
public enum SqlFailures {
  /** Transient: the connection, the server, its memory or its disk. */
  TRANSIENT,
  /** A row cannot be stored. */
  DATA,
  /** An operator must act: a right, a table, a setting. */
  FATAL;

  /**
   * The server's routines that check the policies of a row and the conditions of a view, and that a
   * trigger moved no row to another partition.
   */
  private static final Set<String> CHECKS =
      Set.of("ExecWithCheckOptions", "ExecBRInsertTriggers", "ExecCrossPartitionUpdate");

  private static final String NAME_CHECK = "HostnameVerifier";

  /**
   * Classes of a connection, of resources or of locks: the next attempt of a trigger may succeed.
   */
  private static final Set<String> LATER_IN_FUNCTIONS =
      Set.of("08", "40", "53", "55", "57", "58", "HV", "XX");

  /** The class of a failure. */
  public static SqlFailures of(SQLException failure) {
    String state = failure.getSQLState();
    if (isCertificateRefused(failure)) {
      return FATAL;
    }
    if (state == null || state.length() < 2) {
      return TRANSIENT;
    }
    if (isRefusedByPooler(failure)) {
      return FATAL;
    }
    if (isRaisedByAUser(failure)) {
      return LATER_IN_FUNCTIONS.contains(state.substring(0, 2)) ? TRANSIENT : DATA;
    }
    if (state.equals("25006") || state.equals("0A000")) {
      return TRANSIENT; // A standby before its promotion; a plan that a new column invalidated.
    }
    return switch (state.substring(0, 2)) {
      case "28", "3D", "3F", "42", "0A", "0L", "0P" -> FATAL;
      case "00", "01", "02", "03", "08", "0B", "24", "25", "26", "2B", "2D", "34", "3B" ->
          TRANSIENT;
      case "40", "53", "55", "57", "58", "72", "F0", "HV", "XX" -> TRANSIENT;
      default -> DATA; // A value or a constraint; a trigger may raise any class.
    };
  }

  /**
   * Whether a trigger, another function of a user or a policy refuses a row: by any state, also by
   * one that would otherwise be about Weir's own statement. Only an error within a function has a
   * context, in any language. A COPY has one too, and its tables are Weir's own.
   */
  private static boolean isRaisedByAUser(SQLException failure) {
    if (failure instanceof PSQLException refusal && refusal.getServerErrorMessage() != null) {
      String context = refusal.getServerErrorMessage().getWhere();
      return context != null && !context.startsWith("COPY ")
          || CHECKS.contains(String.valueOf(refusal.getServerErrorMessage().getRoutine()));
    }
    return false;
  }

  /** PgBouncer uses one state for all errors: only the text distinguishes them. */
  private static boolean isRefusedByPooler(SQLException failure) {
    return "08P01".equals(failure.getSQLState())
        && String.valueOf(failure.getMessage()).contains("unsupported startup parameter");
  }

  private static boolean isCertificateRefused(SQLException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException || cause instanceof SSLPeerUnverifiedException) {
        return true;
      }
    }
    // For a host name that does not match, the driver's text has only the name of the verifier, in
    // any language.
    return String.valueOf(failure.getMessage()).contains(NAME_CHECK);
  }

  /** The failure in one line. */
  public static String line(SQLException failure) {
    String message = String.valueOf(failure.getMessage()).strip();
    String state = failure.getSQLState() == null ? "" : " (SQLSTATE " + failure.getSQLState() + ")";
    return message.lines().map(String::strip).collect(Collectors.joining(" ")) + state;
  }

  /** The failure in one line, with its remedy. */
  static String advice(SQLException failure, DatabaseAddress address) {
    String state = String.valueOf(failure.getSQLState());
    String settings = address.settings();
    String remedy =
        switch (state) {
          case "42P01", "42703", "3F000", "42883" ->
              "; create the tables with %s --init, in the schema of %s.url"
                  .formatted(address.program(), settings);
          case "42501" ->
              "; %s.user must own the tables, and be allowed CREATE on their schema and TEMPORARY on the database"
                  .formatted(settings);
          case "08P01" ->
              isRefusedByPooler(failure)
                  ? "; remove that parameter from %s.url, or allow it with the pooler's ignore_startup_parameters"
                      .formatted(settings)
                  : "";
          case "55P03" ->
              "; another transaction uses the tables: end it, or try again when it has ended";
          case "3D000" -> "; create the database, or correct " + settings + ".url";
          default ->
              state.startsWith("28")
                  ? "; check %s.user and %s.password".formatted(settings, settings)
                  : isCertificateRefused(failure)
                      ? "; check sslrootcert and the host name in " + settings + ".url"
                      : "";
        };
    return address.name() + ": " + line(failure) + remedy;
  }
}
