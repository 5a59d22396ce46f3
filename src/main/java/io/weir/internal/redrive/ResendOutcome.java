package io.weir.internal.redrive;

/** The outcome for a record that matches the filter of a redrive. */
public enum ResendOutcome {
  SENT("sent again"),
  SENT_BEFORE("sent again before"),
  CAME_BACK("late or refused again after an earlier redrive; --returned sends them"),
  /** The running state has read the batch, or a copy of it. */
  EARLIER_LIFE(
      "written before a reset of the application, or by another application: the "
          + "running application has read these readings too, and counted them or wrote new "
          + "records, or accept-loss kept a record with as many readings; --force sends them: "
          + "they may count twice, or a partial window replace a full one"),
  /** A late reading that it has not read, or a record of which that is not known. */
  PERHAPS_UNREAD(
      "written before a reset of the application, or by another application: nobody knows whether"
          + " the running application has counted them; --force sends them, and they may count"
          + " twice"),
  /** Nothing is committed of the partition, or without a life, by a tool. */
  NO_LIFE(
      "of partitions of which the application has committed nothing, so that it is not known"
          + " whether it wrote them: start it, and run the redrive again"),
  /** FENCED or STALE_SEQUENCE: an earlier copy may have been counted. */
  PERHAPS_COUNTED("would be refused again, unless their gateway was reset: set --reason"),
  /** UNSIGNED, BAD_SIGNATURE, EXPIRED_KEY or REVOKED. */
  NOT_PROVEN("without proof of their gateway, or revoked: set --reason"),
  /** WITHHELD: it would be withheld again, unless the loss of other readings is accepted. */
  WITHHELD("withheld, because their windows may lack other readings: set --reason to count them"),
  /** WITHHELD, with --reason: an operator must accept the loss first. */
  NOT_ACCEPTED(
      "withheld, and the loss of their gap is not accepted: run weir accept-loss JOB --topic"
          + " READINGS --partition N"),
  /** WITHHELD: a record of what was redriven alone would become the newest of the window. */
  PUBLISHED(
      "withheld readings of windows that were published before a reset; --force sends them,"
          + " and replaces these windows"),
  DUPLICATE("the same batch as another record"),
  /** The gateway was reset, and a copy on the readings topic was not refused. */
  COUNTED("counted before the reset of their gateway"),
  /** The gateway was reset or the state lost, and the retained readings do not decide. */
  NOT_KNOWN("may have been counted; the readings topic does not show it"),
  /** EXPIRED_EVENT. */
  EXPIRED("expired: set --reason EXPIRED_EVENT to send them without expires_ms"),
  /** HANDLER_RETRY. */
  COMES_AGAIN("of timers and idle ends, which come again without a redrive"),
  NOT_RUNNING(
      "of an application that does not run, and no other handles them: start it, or "
          + "send them with --yes"),
  WHOLE_BATCH("batches of events that were refused as a whole; their sender can send them again"),
  CUT("truncated, because the original was too large"),
  UNDECODABLE("not a valid batch"),
  STILL_REFUSED("with readings that would be refused again"),
  TOO_LARGE("too large for the readings topic");

  private final String meaning;

  ResendOutcome(String meaning) {
    this.meaning = meaning;
  }

  /** The text after a number of records. */
  public String meaning() {
    return meaning;
  }
}
