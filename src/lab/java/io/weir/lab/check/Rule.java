package io.weir.lab.check;

/** The rules of docs/gateways.md that records can be compared with, in their order. */
public enum Rule {
  SIZE("record: at most 1 MiB"),
  DECODABLE("value: a ReadingBatch, bare or framed"),
  GATEWAY_ID("gateway_id: 1 to 256 bytes"),
  KEY("key: the gateway_id"),
  BATCH_READINGS("batch: at most 10,000 readings"),
  SENSOR_ID("sensor_id: 1 to 256 bytes"),
  PARTITION("partition: FNV-1a of each sensor_id"),
  SENSOR_OWNER("sensor: of one gateway_id only"),
  VALUE("value: finite"),
  TIMESTAMP("timestamp_ms: milliseconds, not ahead"),
  QUALITY("quality: 0 to 3"),
  SERIES("series: columns of equal length"),
  BOOT_ID("boot_id: 1 to 2^63 - 1, not ahead"),
  BOOT_GROWS("boot_id: larger at every start"),
  SEQUENCE("sequence: 1 to 2^63 - 1"),
  SEQUENCE_GAPS("sequence: from 1, without gaps"),
  SEQUENCE_ORDER("sequence: sent in order"),
  RESEND("resend: the same bytes"),
  ATTESTED("complete, ordered: in a sequenced batch"),
  ATTESTED_KEPT("complete, ordered: nothing older later");

  private final String title;

  Rule(String title) {
    this.title = title;
  }

  /** The rule in a few words. */
  public String title() {
    return title;
  }
}
