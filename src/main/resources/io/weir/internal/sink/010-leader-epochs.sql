-- Kafka's leader epoch of the record in front of next_offset: a topic that lost its end has another
-- one there, however long it has become. It counts only while epoch_offset is next_offset.
alter table weir_sink_offsets
  add column leader_epoch int,
  add column epoch_offset bigint;
