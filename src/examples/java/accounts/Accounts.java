package accounts;

import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.KeyedApplication;
import io.weir.keyed.Outcome;
import io.weir.v1.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Counts the activities of an account, tells each to a service, and writes an alarm to the topic
 * {@code silent-accounts} when an account had none for an hour: key the account, value its number
 * of activities. The key is the account; {@link Posts} sends the events.
 */
public final class Accounts implements KeyHandler {
  static final String ACTIVITY = "activity";
  static final String ALARMS = "silent-accounts";

  private static final Duration SILENCE = Duration.ofHours(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Serde<Long> STATE = Serdes.Long();

  /** A service outside of Kafka. */
  interface Service {
    /**
     * Tells an activity.
     *
     * @param id the same for each attempt
     * @throws RuntimeException if the call failed; Weir calls the handler again
     */
    void tell(String account, String id);
  }

  private final Service service;

  Accounts(Service service) {
    this.service = service;
  }

  @Override
  public void start(KeyContext key) {
    key.setState(STATE, 0L);
  }

  @Override
  public Outcome event(KeyContext key, Event event) {
    if (!event.getType().equals(ACTIVITY)) {
      return Outcome.DONE; // An event of a post.
    }
    service.tell(key.key(), key.origin().toString());
    key.setState(STATE, key.state(STATE) + 1);
    key.schedule("silent", SILENCE); // Replaces the one that waits.
    return Outcome.CONTINUE;
  }

  @Override
  public Outcome timer(KeyContext key, String id, long dueMs) {
    key.emit(ALARMS, key.key(), key.state(STATE));
    return Outcome.CONTINUE;
  }

  /** The application, for {@link #main} and for tests. */
  static KeyedApplication.Builder application(Service service) {
    return KeyedApplication.builder("accounts", () -> new Accounts(service))
        .retry(5, Duration.ofSeconds(1), Duration.ofMinutes(1))
        .output(ALARMS, new StringSerializer(), new LongSerializer());
  }

  private static Service http(URI address) {
    HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    return (account, id) -> {
      HttpRequest request =
          HttpRequest.newBuilder(address)
              .timeout(TIMEOUT)
              .header("Idempotency-Key", id)
              .POST(HttpRequest.BodyPublishers.ofString(account))
              .build();
      try {
        int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status >= 300) {
          throw new IllegalStateException(address + " answered " + status);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    };
  }

  /**
   * Settings are variables: WEIR_BOOTSTRAP_SERVERS, WEIR_HTTP_PORT ...
   *
   * @param args the address of the service
   */
  public static void main(String[] args) {
    application(http(URI.create(args[0]))).run();
  }
}
