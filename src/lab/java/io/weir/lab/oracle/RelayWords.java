package io.weir.lab.oracle;

/** The words in the types of the events of posts, and what keys begin with. */
public final class RelayWords {
  public static final String POST = "post-";
  public static final String ACCOUNT = "account-";

  /** An event for the account is sent at once. */
  public static final String NOW = "now";

  /** An event for the account is scheduled. */
  public static final String LATER = "later";

  public static final String FAILS_ALWAYS = "always";
  public static final String FAILS_AT_FIRST = "first";

  /** The topic that posts and accounts emit to: subject and number, by key. */
  public static final String OUT = "chaos.relay";

  private RelayWords() {}
}
