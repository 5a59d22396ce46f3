package io.weir.redrive;

/** What a redrive does with a record that fits its filter. */
public enum ResendOutcome {
  SENT("sent again"),
  SENT_BEFORE("sent again before"),
  CAME_BACK("came back from an earlier redrive"),
  /** FENCED or STALE_SEQUENCE: nobody knows whether they were counted when they first came. */
  PERHAPS_COUNTED("would be refused again, unless their gateway was reset: name their reason"),
  /** UNSIGNED, BAD_SIGNATURE, EXPIRED_KEY or REVOKED. */
  NOT_PROVEN("not shown to be of the gateway that they name, or revoked: name their reason"),
  /** WITHHELD: it would be withheld again, unless the loss of others is accepted. */
  WITHHELD("withheld, since their windows may lack others: name their reason to count them"),
  /** WITHHELD, and named: an operator has to decide first. */
  NOT_ACCEPTED(
      "withheld, and nobody has accepted the loss in their partition: weir accept-loss JOB --topic"
          + " READINGS --partition N"),
  DUPLICATE("the same batch as another record"),
  /** Of a gateway that was reset: a copy is on the readings, and was not refused. */
  COUNTED("counted before their gateway was reset"),
  /** Of a gateway that was reset: the readings begin too late to tell. */
  NOT_KNOWN("perhaps counted before their gateway was reset, which the readings no longer show"),
  CUT("their original was too large and is not whole"),
  UNDECODABLE("still no batch"),
  STILL_REFUSED("of readings that would be refused again"),
  TOO_LARGE("larger than the readings topic takes");

  private final String meaning;

  ResendOutcome(String meaning) {
    this.meaning = meaning;
  }

  /** In words, to come after a number of records. */
  public String meaning() {
    return meaning;
  }
}
