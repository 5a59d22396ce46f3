-- To compile its queries takes a second for each call, and saves nothing.
alter function weir_histogram_of(jsonb[]) set jit = off;

-- Rollups of one size, and the span that is not closed: its windows so far, from which the numbers
-- are computed here. Reads the windows of at most two spans of a sensor.
do $now$ declare size record; begin
  for size in select * from (values ('1h', 3600), ('1d', 86400)) s(name, seconds)
  loop
    execute format($view$
create view weir_now_%1$s as
select r.sensor_id, r.window_start, r.window_end, true as is_closed, r.count, r.bad_count, r.sum, r.min, r.max,
       r.mean, r.histogram, r.p50, r.p95, r.p99
  from weir_rollups_derived r
 where r.size_ms = %2$s000
union all
select o.sensor_id, o.window_start, o.window_start + interval '%2$s s', false, o.count, o.bad_count, o.sum, o.min, o.max,
       case when o.sum is not null then greatest(o.min, least(weir_ratio(o.sum, o.count), o.max)) end,
       o.histogram,
       weir_quantile(o.histogram, o.count, o.min, o.max, 0.5),
       weir_quantile(o.histogram, o.count, o.min, o.max, 0.95),
       weir_quantile(o.histogram, o.count, o.min, o.max, 0.99)
  from (
    select s.sensor_id,
           span.start as window_start,
           sum(w.count)::bigint as count,
           sum(w.bad_count)::bigint as bad_count,
           -- Null near the largest double: an overflow would end the query.
           case when bool_and(abs(w.sum) < 1e300) then sum(w.sum) filter (where abs(w.sum) < 1e300) end as sum,
           min(w.min) as min,
           max(w.max) as max,
           -- Null where a window was before the set was switched on.
           case when bool_and(w.histogram is not null or w.count = 0) then weir_histogram_merge(w.histogram) end as histogram
      from weir_sensors s
     cross join lateral (
       select timestamptz 'epoch' + floor(extract(epoch from n.window_start) / %2$s) * interval '%2$s s' as start
         from weir_windows n
        where n.sensor_id = s.sensor_id
          and n.window_start >= s.newest_day
          and n.window_start < s.newest_day + interval '24 hours'
        order by n.window_start desc
        limit 1
     ) newest
     cross join lateral (values (newest.start - interval '%2$s s'), (newest.start)) span(start)
      join weir_windows w
        on w.sensor_id = s.sensor_id
       and w.window_start >= span.start
       and w.window_start < span.start + interval '%2$s s'
     where not exists (
       select from weir_rollups r
        where r.sensor_id = s.sensor_id
          and r.window_start = span.start
          and r.window_end = span.start + interval '%2$s s')
     group by 1, 2
  ) o
    $view$, size.name, size.seconds);
  end loop;
end $now$;

-- Readings that were late or refused, and records that were refused as a whole, where the sink writes
-- these topics. The key is the record that they came with and what they say: after a reset Weir
-- writes them again, and they replace their rows.
create table weir_late (
  source_topic     text collate "C" not null,
  source_partition int              not null,
  source_offset    bigint           not null,
  reason           text collate "C" not null,  -- LATE, WITHHELD, or that of a dead letter
  content          uuid             not null,  -- MD5 of the reading or record; equal ones are numbered
  sensor_id        text collate "C",           -- null for a whole record; so is all down to quality
  event_time       timestamptz,                -- null also outside of the years 1 to 9999
  value            float8,
  quality          text,                       -- UNSPECIFIED, GOOD, UNCERTAIN or BAD
  readings         bigint,                     -- 1, or those of a refused batch; null if it is none
  gateway_id       text,
  application      text,                       -- of events: who refused them
  message          text,                       -- the reason in words
  appended_at      timestamptz,                -- when Weir wrote it to its topic
  kafka_partition  int              not null,
  topic_generation int              not null,
  kafka_offset     bigint           not null,
  updated_at       timestamptz      not null,
  primary key (source_topic, source_partition, source_offset, reason, content)
);
create index weir_late_time on weir_late (appended_at);
create index weir_late_record on weir_late (kafka_partition, topic_generation, kafka_offset);
create table weir_dead_letters (like weir_late including all);

-- How many were deleted after the retention.
create table weir_late_deleted (like weir_sink_rejects_deleted including all);
create table weir_dead_letters_deleted (like weir_sink_rejects_deleted including all);
