-- Where each partition of each topic goes on. Each transaction of the sink writes rows and moves
-- next_offset together.
create table weir_sink_offsets (
  name        text   not null,  -- the topic
  topic_id    uuid   not null,  -- Kafka's: a topic that is recreated has another one
  generation  int    not null,  -- 1 for the first topic of that name, then 2, 3 ...
  partition   int    not null,
  epoch       bigint not null,  -- how often the partition was taken over: an older owner cannot write
  next_offset bigint not null,
  primary key (name, topic_id, partition)
);

-- Records that have no place in a table, each once, as they were on the topic.
create table weir_sink_rejects (
  topic            text        not null,
  topic_generation int         not null,
  kafka_partition  int         not null,
  kafka_offset     bigint      not null,
  reason           text        not null,
  message          text        not null,
  key              bytea,
  value            bytea,
  rejected_at      timestamptz not null default now(),
  primary key (topic, topic_generation, kafka_partition, kafka_offset)
);

-- The newest summary of each window. A partition for each day (UTC) of window_start; old days, and
-- days that could get none, are in the default partition.
create table weir_windows (
  sensor_id        text collate "C" not null,
  window_start     timestamptz      not null,
  window_end       timestamptz      not null,  -- exclusive
  count            bigint           not null,
  sum              float8,                     -- null where count is 0; min and max too
  min              float8,
  max              float8,
  bad_count        bigint           not null,
  revision         bigint           not null,
  close_reason     text             not null,  -- EVENT_TIME, IDLE, AMENDED or COMPLETE
  is_final         boolean          not null,
  first_timestamp  timestamptz,                -- from here on null where the set is not switched on
  first            float8,
  last_timestamp   timestamptz,
  last             float8,
  m2               float8,                     -- sum of squared distances from the mean
  histogram        jsonb,                      -- see weir_quantile
  integral         float8,                     -- value x milliseconds
  increase         float8,
  resets           bigint,
  uncertain_count  bigint,
  topic_generation int              not null,
  kafka_offset     bigint           not null,
  primary key (sensor_id, window_start, window_end)
) partition by range (window_start);
create table weir_windows_default partition of weir_windows default;

-- The same for rollups.
create table weir_rollups (
  like weir_windows,
  primary key (sensor_id, window_start, window_end)
) partition by range (window_start);
create table weir_rollups_default partition of weir_rollups default;

-- A quotient that is 0 where the exact one is too small, and null without a divisor: PostgreSQL's
-- own raises an error.
create function weir_ratio(a float8, b float8) returns float8 language sql immutable as $$
  select case
    when a is null or b is null or b = 0 then null
    when a = 0 or abs(a) >= 1e-280 then a / b
    when abs(a) * 2 > abs(b) * 4.9406564584124654e-324 then a / b
    else 0
  end
$$;

-- A difference that is infinite where the exact one is too large: PostgreSQL's own raises an error.
create function weir_difference(a float8, b float8) returns float8 language sql immutable as $$
  select case
    when abs(a) < 8e307 and abs(b) < 8e307 then a - b
    when (case when abs(a) < 1 then 0 else a * 0.5 end)
       - (case when abs(b) < 1 then 0 else b * 0.5 end) >= 8.98846567431158e307 then 'infinity'
    when (case when abs(a) < 1 then 0 else a * 0.5 end)
       - (case when abs(b) < 1 then 0 else b * 0.5 end) <= -8.98846567431158e307 then '-infinity'
    else a - b
  end
$$;

-- The value that at least a part q of the readings do not exceed, to about 1 %: the middle of the
-- bucket that holds it. The histogram is {"scale", "zero_count", "positive", "negative"}, the last
-- two {"offset", "counts"} as OpenTelemetry has them: counts[i] is of magnitudes above
-- base^(offset + i), up to and including base^(offset + i + 1), base = 2^(2^-scale).
create function weir_quantile(histogram jsonb, count bigint, min float8, max float8, q float8)
returns float8 language plpgsql immutable as $$
declare
  rank     bigint := greatest(1, ceil(q * count)::bigint);
  width    float8;
  exponent float8;
  value    float8;
begin
  if histogram is null or count = 0 then
    return null;
  end if;
  if q is null or q <= 0 or q > 1 then
    raise exception 'a quantile is above 0 and at most 1, not %', q;
  end if;
  width := power(2::float8, -(histogram->>'scale')::float8);
  select b.sign, b.low into value, exponent
    from (
      select t.sign, t.low, sum(t.n) over (order by t.place, t.i) as upto
        from (
          select -1::float8 as sign, ((histogram#>>'{negative,offset}')::bigint + c.i - 1) * width as low,
                 c.n::bigint as n, 1 as place, -c.i as i
            from jsonb_array_elements_text(histogram#>'{negative,counts}') with ordinality c(n, i)
          union all
          select 0, 0, (histogram->>'zero_count')::bigint, 2, 0
          union all
          select 1, ((histogram#>>'{positive,offset}')::bigint + c.i - 1) * width,
                 c.n::bigint, 3, c.i
            from jsonb_array_elements_text(histogram#>'{positive,counts}') with ordinality c(n, i)
        ) t
    ) b
   where b.upto >= rank
   order by b.upto
   limit 1;
  if value <> 0 then
    value := value * case
      when exponent < -1074 then 0
      when exponent > 1022 then 1.7976931348623157e308
      else power(2::float8, exponent) * (2 / (1 + case when width > 1074 then 0 else power(2::float8, -width) end))
    end;
  end if;
  return greatest(min, least(coalesce(value, max), max));
end
$$;

-- What follows from a summary. A cell is null where its set of statistics is not switched on.
create view weir_windows_derived as
select w.*,
       weir_ratio(w.sum, w.count) as mean,
       weir_difference(w.max, w.min) as spread,
       sqrt(weir_ratio(w.m2, w.count - 1)) as standard_deviation,
       weir_ratio(w.integral, round(extract(epoch from w.last_timestamp - w.first_timestamp) * 1000)::float8) as time_weighted_average,
       weir_quantile(w.histogram, w.count, w.min, w.max, 0.5) as p50,
       weir_quantile(w.histogram, w.count, w.min, w.max, 0.95) as p95,
       weir_quantile(w.histogram, w.count, w.min, w.max, 0.99) as p99
  from weir_windows w;

create view weir_rollups_derived as
select w.*,
       weir_ratio(w.sum, w.count) as mean,
       weir_difference(w.max, w.min) as spread,
       sqrt(weir_ratio(w.m2, w.count - 1)) as standard_deviation,
       weir_ratio(w.integral, round(extract(epoch from w.last_timestamp - w.first_timestamp) * 1000)::float8) as time_weighted_average,
       weir_quantile(w.histogram, w.count, w.min, w.max, 0.5) as p50,
       weir_quantile(w.histogram, w.count, w.min, w.max, 0.95) as p95,
       weir_quantile(w.histogram, w.count, w.min, w.max, 0.99) as p99
  from weir_rollups w;

-- The newest window of each sensor that had one within the last day. The cost grows with the
-- sensors and not with their windows: it goes from sensor to sensor in the primary key.
create view weir_latest as
with recursive sensors as (
  (select sensor_id from weir_windows
    where window_start >= now() - interval '1 day' order by sensor_id limit 1)
  union all
  select (select w.sensor_id from weir_windows w
           where w.sensor_id > s.sensor_id and w.window_start >= now() - interval '1 day'
           order by w.sensor_id limit 1)
    from sensors s
   where s.sensor_id is not null
)
select newest.*, weir_ratio(newest.sum, newest.count) as mean
  from sensors s
 cross join lateral (
   select * from weir_windows w
    where w.sensor_id = s.sensor_id and w.window_start >= now() - interval '1 day'
    order by w.window_start desc, w.window_end desc
    limit 1
 ) newest
 where s.sensor_id is not null;
