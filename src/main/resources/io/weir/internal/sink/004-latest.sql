-- Sensors, and the newest day (UTC) in which each has a window, for weir_latest. The sink keeps it
-- in the transaction that writes the windows. Days after tomorrow do not count: a clock that is
-- wrong would hide what is newest.
create table weir_sensors (
  sensor_id  text collate "C" not null primary key,
  newest_day timestamptz      not null  -- 00:00 UTC
);
insert into weir_sensors (sensor_id, newest_day)
select sensor_id, max(date_trunc('day', window_start at time zone 'UTC') at time zone 'UTC')
  from weir_windows
 where window_start >= now() - interval '1 day' and window_start < now() + interval '1 day'
 group by sensor_id;

-- The newest window of each sensor that had one within the last day. Costs an index look-up a
-- sensor, in the partition of its newest day alone, however many windows there are.
create or replace view weir_latest as
select newest.sensor_id,
       newest.window_start,
       newest.window_end,
       newest.count,
       newest.sum,
       newest.min,
       newest.max,
       newest.bad_count,
       newest.revision,
       newest.close_reason,
       newest.is_final,
       newest.first_timestamp,
       newest.first,
       newest.last_timestamp,
       newest.last,
       newest.m2,
       newest.histogram,
       newest.integral,
       newest.increase,
       newest.resets,
       newest.uncertain_count,
       newest.topic_generation,
       newest.kafka_offset,
       weir_ratio(newest.sum, newest.count) as mean
  from weir_sensors s
 cross join lateral (
   select * from weir_windows w
    where w.sensor_id = s.sensor_id
      and w.window_start >= now() - interval '1 day'
      and w.window_start >= s.newest_day
      and w.window_start < s.newest_day + interval '24 hours'
    order by w.window_start desc, w.window_end desc
    limit 1
 ) newest
 where s.newest_day >= now() - interval '2 days';

-- Finds the rows of days in a default partition, which holds whatever has no partition of its day.
create index weir_windows_default_start on weir_windows_default (window_start);
create index weir_rollups_default_start on weir_rollups_default (window_start);
create index weir_hopping_default_start on weir_hopping_default (window_start);
create index weir_groups_default_start on weir_groups_default (window_start);

-- The value of a field that is a float8, every bit of it: jsonb has no negative zero.
alter table weir_entity add column number float8;
