-- The state of each sensor. A sensor of which nothing is known any more has no row.
create table weir_status (
  sensor_id        text collate "C" not null primary key,
  state            text,                        -- STARTED, SILENT, RESUMED or FINISHED; never null
  since            timestamptz,                 -- append time of the record with which it began
  last_timestamp   timestamptz,                 -- the newest event time that it reported; null for none
  gateway_id       text,                        -- who sent its last batch; null where that is not known
  alarms           jsonb,                       -- see weir_alarms; null where it never had one
  topic_generation int              not null,
  kafka_offset     bigint           not null
);
create index weir_status_since on weir_status (since) where state in ('SILENT', 'FINISHED');
create index weir_status_alarms on weir_status (sensor_id) where alarms is not null;

-- Alarms that are active, or have been.
create view weir_alarms as
select s.sensor_id,
       a.rule,
       a.level,     -- low-low, low, high, high-high, deviation or silent-after
       a.active,
       timestamptz 'epoch' + a.since_ms * interval '1 millisecond' as since,
       a.value,     -- with which it turned; of silence its length in milliseconds
       a.priority   -- 0 is the most urgent
  from weir_status s
 cross join lateral jsonb_to_recordset(s.alarms)
    as a(rule text, level text, active boolean, since_ms bigint, value float8, priority bigint)
 where s.alarms is not null;

-- Sensors that say nothing: SILENT, and FINISHED once they are forgotten.
create view weir_silent as
select sensor_id, state, since, last_timestamp, gateway_id
  from weir_status
 where state in ('SILENT', 'FINISHED');

-- What follows from a summary of a group.
create view weir_groups_derived as
select g.*,
       weir_ratio(g.sum, g.count) as mean,
       weir_difference(g.max, g.min) as spread
  from weir_groups g;
