package io.weir.edge;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a failure in one line with cause and remedy, then one line a minute until an operation
 * succeeds. Never throws: a logging library whose classes were first loaded while memory was short
 * throws NoClassDefFoundError from then on, and sending must go on. Sender thread only.
 */
final class FailureLog {
  private static final Logger LOG = LoggerFactory.getLogger(ReadingPublisher.class);
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String gatewayId;
  private long failures;
  private long lastLoggedNanos;

  FailureLog(String gatewayId) {
    this.gatewayId = gatewayId;
  }

  void failed(String what, Throwable cause, long nowNanos) {
    failures++;
    try {
      log(what, cause, nowNanos);
    } catch (RuntimeException | Error e) {
      lastLoggedNanos = nowNanos;
    }
  }

  private void log(String what, Throwable cause, long nowNanos) {
    if (failures == 1) {
      LOG.warn("Gateway {}: {}: {}. Retrying.{}", gatewayId, what, messageOf(cause), remedy(cause));
      trace(what, cause);
      lastLoggedNanos = nowNanos;
    } else if (nowNanos - lastLoggedNanos >= QUIET_NANOS) {
      LOG.warn(
          "Gateway {}: {}, {} consecutive failures: {}.{}",
          gatewayId,
          what,
          failures,
          messageOf(cause),
          remedy(cause));
      lastLoggedNanos = nowNanos;
    }
  }

  void succeeded() {
    if (failures == 0) {
      return;
    }
    long before = failures;
    failures = 0;
    try {
      LOG.info("Gateway {}: publishing again, after {} failures", gatewayId, before);
    } catch (RuntimeException | Error e) {
      // As above.
    }
  }

  private void trace(String what, Throwable cause) {
    try {
      LOG.debug("Gateway {}: {}", gatewayId, what, cause);
    } catch (RuntimeException | Error e) {
      LOG.debug("Gateway {}: the exception cannot be printed", gatewayId);
    }
  }

  /**
   * One line, with the class name for Kafka's exceptions, whose messages alone are unclear. The
   * exceptions of listeners and acknowledgements are the user's: their message may throw.
   */
  private static String messageOf(Throwable cause) {
    try {
      boolean ours = cause instanceof IllegalStateException && cause.getMessage() != null;
      return (ours ? cause.getMessage() : cause.toString()).replaceAll("\\s*\\R\\s*", " ");
    } catch (RuntimeException | Error e) {
      return cause.getClass().getName();
    }
  }

  private static String remedy(Throwable cause) {
    if (cause instanceof RecordTooLargeException || cause instanceof RecordBatchTooLargeException) {
      return " The record is larger than the topic's limit, and a sequenced batch cannot be split:"
          + " set max.message.bytes of the readings topic to 1048588 or more, and"
          + " segment.bytes to no less.";
    }
    if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
      return " Check the credentials and their WRITE and DESCRIBE permissions on the "
          + "readings topic.";
    }
    if (cause instanceof TimeoutException) {
      return " Check that the brokers can be reached and the readings topic has 64 partitions.";
    }
    return "";
  }
}
