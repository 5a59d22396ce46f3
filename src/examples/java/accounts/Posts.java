package accounts;

import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.KeyedApplication;
import io.weir.keyed.Outcome;
import io.weir.v1.Event;

/**
 * Passes what happens to a post on to its account. The key is the post; an event of the type {@code
 * published} or {@code liked} names the account in its field {@code account}. {@link Accounts}
 * receives an event of the type {@code activity}, whose key is the account, once for each.
 */
public final class Posts implements KeyHandler {
  @Override
  public void start(KeyContext key) {
    // Nothing is kept of a post.
  }

  @Override
  public Outcome event(KeyContext key, Event event) {
    if (event.getType().equals("published") || event.getType().equals("liked")) {
      key.send(
          Event.newBuilder()
              .setKey(event.getFieldsOrThrow("account").getStringValue())
              .setType(Accounts.ACTIVITY)
              .setSubject(key.key())
              .setTimestampMs(event.getTimestampMs())
              .build());
    }
    return Outcome.DONE;
  }

  /** The application, for {@link #main} and for tests. */
  static KeyedApplication.Builder application() {
    return KeyedApplication.builder("posts", Posts::new);
  }

  /** Settings are variables: WEIR_BOOTSTRAP_SERVERS, WEIR_HTTP_PORT ... */
  public static void main(String[] args) {
    application().run();
  }
}
