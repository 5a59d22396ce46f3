-- Numbers that the sink computes with the class that `weir tail` and Java use: exact, and at no cost
-- for a query. Rows of an older sink lack them; the views below compute them then. A day's table that
-- is not attached yet gets the columns by itself.
do $$ declare name text; begin
  for name in
    select unnest(array['weir_windows', 'weir_rollups', 'weir_hopping'])
    union all
    select c.relname from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and c.relname ~ '^weir_(windows|rollups|hopping)_[0-9]{8}$'
       and not exists (select from pg_inherits i where i.inhrelid = c.oid)
  loop
    execute format('alter table %I
      add column sum_rest float8[],
      add column mean float8,
      add column standard_deviation float8,
      add column time_weighted_average float8,
      add column p50 float8,
      add column p95 float8,
      add column p99 float8', name);
    if name !~ '^weir_windows' then
      -- A query over all sizes counts a reading once for each of them.
      execute format('alter table %I add column size_ms bigint not null generated always as
        (round(extract(epoch from window_end - window_start) * 1000)::bigint) stored', name);
    end if;
  end loop;
end $$;

-- The last minutes of all sensors.
create index weir_windows_start on weir_windows (window_start);
create index weir_rollups_start on weir_rollups (size_ms, window_start);
create index weir_hopping_start on weir_hopping (window_start);
create index weir_groups_start on weir_groups (window_start);

-- The value of rank ceil(q * count), 1 for the smallest, to about 1 %: the middle of the bucket that
-- holds it. The histogram is {"scale", "zero_count", "positive", "negative"}, the last two {"offset",
-- "counts"} as OpenTelemetry has them: counts[i] is of magnitudes above base^(offset + i), up to and
-- including base^(offset + i + 1), base = 2^(2^-scale).
create or replace function weir_quantile(histogram jsonb, count bigint, min float8, max float8, q float8)
returns float8 language plpgsql immutable as $$
declare
  rank     bigint;
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
  rank := greatest(1, ceil(round(q::numeric * count, 9))::bigint);
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
    -- The upper bound of the highest bucket, 2^1024, is no double; its middle is.
    value := value * case
      when exponent < -1074 then 0
      when exponent >= 1024 then 1.7976931348623157e308
      else power(2::float8, exponent - floor(exponent))
           * (2 / (1 + case when width > 1074 then 0 else power(2::float8, -width) end))
           * power(2::float8, floor(exponent))
    end;
  end if;
  return greatest(min, least(coalesce(value, max), max)) + 0;
end
$$;

-- Histograms as one: that of all their readings, bucket by bucket as Weir itself would have it, at the
-- largest scale with at most 160 buckets of each sign.
create function weir_histogram_of(histograms jsonb[]) returns jsonb language plpgsql immutable as $$
declare
  finest int;
  merged jsonb;
begin
  select min((h->>'scale')::int) into finest from unnest(histograms) h where h is not null;
  if finest is null then
    return null;
  end if;
  with counts as (
    select p.sign, (((h#>>array[p.sign, 'offset'])::bigint + c.i - 1) >> ((h->>'scale')::int - finest)) as bucket,
           sum(c.n::numeric) as n
      from unnest(histograms) h
     cross join (values ('negative'), ('positive')) p(sign)
     cross join lateral jsonb_array_elements_text(h#>array[p.sign, 'counts']) with ordinality c(n, i)
     where c.n::numeric > 0
     group by 1, 2
  ), spans as (
    select sign, min(bucket) as low, max(bucket) as high from counts group by 1
  ), scale as (
    select min(k) as k from generate_series(0, 63) k
     where not exists (select from spans where (high >> k) - (low >> k) + 1 > 160)
  ), sides as (
    select s.sign, jsonb_build_object('offset', s.low >> k, 'counts',
             (select jsonb_agg(coalesce((select sum(n) from counts c where c.sign = s.sign and c.bucket >> k = b), 0) order by b)
                from generate_series(s.low >> k, s.high >> k) b)) as buckets
      from spans s cross join scale
  )
  select jsonb_build_object(
           'scale', finest - (select k from scale),
           'zero_count', (select sum((h->>'zero_count')::numeric) from unnest(histograms) h where h is not null),
           'positive', coalesce((select buckets from sides where sign = 'positive'), '{"offset": 0, "counts": []}'),
           'negative', coalesce((select buckets from sides where sign = 'negative'), '{"offset": 0, "counts": []}'))
    into merged;
  return merged;
end
$$;

create aggregate weir_histogram_merge(jsonb) (sfunc = array_append, stype = jsonb[], finalfunc = weir_histogram_of);

-- A quantile of all readings of a histogram, also a merged one. Percentiles of a day are not the means
-- of those of its hours.
create function weir_histogram_quantile(histogram jsonb, q float8) returns float8 language sql immutable as $$
  select weir_quantile(histogram,
    ((histogram->>'zero_count')::numeric
      + coalesce((select sum(n::numeric) from jsonb_array_elements_text(histogram#>'{positive,counts}') n), 0)
      + coalesce((select sum(n::numeric) from jsonb_array_elements_text(histogram#>'{negative,counts}') n), 0))::bigint,
    '-infinity', 'infinity', q)
$$;

-- What follows from a summary. A cell is null where its set of statistics is not switched on.
create or replace view weir_windows_derived as
select w.sensor_id,
       w.window_start,
       w.window_end,
       w.count,
       w.sum,
       w.min,
       w.max,
       w.bad_count,
       w.revision,
       w.close_reason,
       w.is_final,
       w.first_timestamp,
       w.first,
       w.last_timestamp,
       w.last,
       w.m2,
       w.histogram,
       w.integral,
       w.increase,
       w.resets,
       w.uncertain_count,
       w.topic_generation,
       w.kafka_offset,
       coalesce(w.mean, case when w.count > 0 then greatest(w.min, least(weir_ratio(w.sum, w.count), w.max)) end) as mean,
       weir_difference(w.max, w.min) as spread,
       coalesce(w.standard_deviation, sqrt(weir_ratio(w.m2, w.count - 1))) as standard_deviation,
       -- greatest and least pass over nulls.
       coalesce(w.time_weighted_average,
         case when w.integral is not null and w.last_timestamp > w.first_timestamp then
           greatest(w.min, least(w.max,
             weir_ratio(w.integral, round(extract(epoch from w.last_timestamp - w.first_timestamp) * 1000)::float8)))
         end) as time_weighted_average,
       case when w.histogram is not null then coalesce(w.p50, weir_quantile(w.histogram, w.count, w.min, w.max, 0.5)) end as p50,
       case when w.histogram is not null then coalesce(w.p95, weir_quantile(w.histogram, w.count, w.min, w.max, 0.95)) end as p95,
       case when w.histogram is not null then coalesce(w.p99, weir_quantile(w.histogram, w.count, w.min, w.max, 0.99)) end as p99,
       w.sum_rest
  from weir_windows w;

create or replace view weir_rollups_derived as
select w.sensor_id,
       w.window_start,
       w.window_end,
       w.count,
       w.sum,
       w.min,
       w.max,
       w.bad_count,
       w.revision,
       w.close_reason,
       w.is_final,
       w.first_timestamp,
       w.first,
       w.last_timestamp,
       w.last,
       w.m2,
       w.histogram,
       w.integral,
       w.increase,
       w.resets,
       w.uncertain_count,
       w.topic_generation,
       w.kafka_offset,
       coalesce(w.mean, case when w.count > 0 then greatest(w.min, least(weir_ratio(w.sum, w.count), w.max)) end) as mean,
       weir_difference(w.max, w.min) as spread,
       coalesce(w.standard_deviation, sqrt(weir_ratio(w.m2, w.count - 1))) as standard_deviation,
       -- greatest and least pass over nulls.
       coalesce(w.time_weighted_average,
         case when w.integral is not null and w.last_timestamp > w.first_timestamp then
           greatest(w.min, least(w.max,
             weir_ratio(w.integral, round(extract(epoch from w.last_timestamp - w.first_timestamp) * 1000)::float8)))
         end) as time_weighted_average,
       case when w.histogram is not null then coalesce(w.p50, weir_quantile(w.histogram, w.count, w.min, w.max, 0.5)) end as p50,
       case when w.histogram is not null then coalesce(w.p95, weir_quantile(w.histogram, w.count, w.min, w.max, 0.95)) end as p95,
       case when w.histogram is not null then coalesce(w.p99, weir_quantile(w.histogram, w.count, w.min, w.max, 0.99)) end as p99,
       w.sum_rest,
       w.size_ms
  from weir_rollups w;

create view weir_hopping_derived as
select w.sensor_id,
       w.window_start,
       w.window_end,
       w.count,
       w.sum,
       w.min,
       w.max,
       w.bad_count,
       w.revision,
       w.close_reason,
       w.is_final,
       w.first_timestamp,
       w.first,
       w.last_timestamp,
       w.last,
       w.m2,
       w.histogram,
       w.integral,
       w.increase,
       w.resets,
       w.uncertain_count,
       w.topic_generation,
       w.kafka_offset,
       coalesce(w.mean, case when w.count > 0 then greatest(w.min, least(weir_ratio(w.sum, w.count), w.max)) end) as mean,
       weir_difference(w.max, w.min) as spread,
       coalesce(w.standard_deviation, sqrt(weir_ratio(w.m2, w.count - 1))) as standard_deviation,
       -- greatest and least pass over nulls.
       coalesce(w.time_weighted_average,
         case when w.integral is not null and w.last_timestamp > w.first_timestamp then
           greatest(w.min, least(w.max,
             weir_ratio(w.integral, round(extract(epoch from w.last_timestamp - w.first_timestamp) * 1000)::float8)))
         end) as time_weighted_average,
       case when w.histogram is not null then coalesce(w.p50, weir_quantile(w.histogram, w.count, w.min, w.max, 0.5)) end as p50,
       case when w.histogram is not null then coalesce(w.p95, weir_quantile(w.histogram, w.count, w.min, w.max, 0.95)) end as p95,
       case when w.histogram is not null then coalesce(w.p99, weir_quantile(w.histogram, w.count, w.min, w.max, 0.99)) end as p99,
       w.sum_rest,
       w.size_ms
  from weir_hopping w;

-- Rollups of one size: each reading counts once.
create view weir_rollups_1m as select * from weir_rollups_derived where size_ms = 60000;
create view weir_rollups_1h as select * from weir_rollups_derived where size_ms = 3600000;
create view weir_rollups_1d as select * from weir_rollups_derived where size_ms = 86400000;

create or replace view weir_groups_derived as
select g.*,
       greatest(g.min, least(weir_ratio(g.sum, g.count), g.max)) as mean,
       weir_difference(g.max, g.min) as spread
  from weir_groups g;

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
       coalesce(newest.mean, greatest(newest.min, least(weir_ratio(newest.sum, newest.count), newest.max))) as mean
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
