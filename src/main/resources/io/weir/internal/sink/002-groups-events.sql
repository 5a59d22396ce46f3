-- Summaries of hopping windows, as weir_windows has them.
create table weir_hopping (
  like weir_windows,
  primary key (sensor_id, window_start, window_end)
) partition by range (window_start);
create table weir_hopping_default partition of weir_hopping default;

-- The newest summary of each window of a group of sensors.
create table weir_groups (
  group_name       text collate "C" not null,
  window_start     timestamptz      not null,
  window_end       timestamptz      not null,  -- exclusive
  sensors          bigint           not null,
  count            bigint           not null,
  sum              float8,                     -- null where count is 0; so is all down to max_sensor_id
  min              float8,
  max              float8,
  min_sensor_id    text,
  max_sensor_id    text,
  bad_count        bigint           not null,
  revision         bigint           not null,
  topic_generation int              not null,
  kafka_offset     bigint           not null,
  primary key (group_name, window_start, window_end)
) partition by range (window_start);
create table weir_groups_default partition of weir_groups default;

-- The newest value of each field of folded events, by event time: what the events of a key and type
-- say now.
create table weir_entity (
  key              text collate "C" not null,
  type             text collate "C" not null,
  field            text collate "C" not null,
  value            jsonb            not null,  -- bytes as a text in base64
  event_time       timestamptz      not null,  -- of the event that said it
  topic_generation int              not null,
  kafka_offset     bigint           not null,  -- of the fold on weir.folded
  primary key (key, type, field)
);
