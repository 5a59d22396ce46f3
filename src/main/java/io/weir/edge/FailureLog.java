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
 * Tells of failures loudly once, with the cause and what to do; then in a line a minute, until
 * something succeeds. For the sender thread.
 */
final class FailureLog {
  private static final Logger LOG = LoggerFactory.getLogger(ReadingPublisher.class);
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String gatewayId;
  private long failures;
  private long lastToldNanos;

  FailureLog(String gatewayId) {
    this.gatewayId = gatewayId;
  }

  void failed(String what, Throwable cause, long nowNanos) {
    failures++;
    if (failures == 1) {
      LOG.warn("Gateway {}: {}. Nothing is dropped.{}", gatewayId, what, remedy(cause), cause);
      lastToldNanos = nowNanos;
    } else if (nowNanos - lastToldNanos >= QUIET_NANOS) {
      LOG.warn(
          "Gateway {}: {}, failure {} in a row: {}.{}",
          gatewayId,
          what,
          failures,
          cause.toString(),
          remedy(cause));
      lastToldNanos = nowNanos;
    }
  }

  void succeeded() {
    if (failures > 0) {
      LOG.info("Gateway {}: all is well again, after {} failures", gatewayId, failures);
      failures = 0;
    }
  }

  private static String remedy(Throwable cause) {
    if (cause instanceof RecordTooLargeException || cause instanceof RecordBatchTooLargeException) {
      return " The brokers take only smaller records, and a batch with a sequence cannot be split:"
          + " set max.message.bytes of the readings topic to 1048588 or more, and segment.bytes no"
          + " smaller.";
    }
    if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
      return " Check the credentials, and that they may write to and describe the readings topic.";
    }
    if (cause instanceof TimeoutException) {
      return " Check that the brokers can be reached and the readings topic has 64 partitions.";
    }
    return "";
  }
}
