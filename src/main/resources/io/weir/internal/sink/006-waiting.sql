-- Records of days whose partition could not be attached yet, because of a lock for example. The sink
-- writes them afterwards, as any other record.
create table weir_sink_waiting (
  topic            text   not null,
  topic_generation int    not null,
  kafka_partition  int    not null,
  kafka_offset     bigint not null,
  day              int    not null,  -- of window_start (UTC), since 1970-01-01
  key              bytea,
  value            bytea,
  primary key (topic, topic_generation, kafka_partition, kafka_offset)
);
create index weir_sink_waiting_day on weir_sink_waiting (topic, day);

-- How many rejects were deleted after their retention.
create table weir_sink_rejects_deleted (
  reason     text        primary key,
  deleted    bigint      not null,
  deleted_at timestamptz not null  -- the last time
);
