-- Which record a row is from, and when it was written: for readers that ask what has changed. Both
-- are null in rows of an older sink.
do $$ declare name text; begin
  for name in
    select unnest(array['weir_windows', 'weir_rollups', 'weir_hopping', 'weir_groups', 'weir_status', 'weir_entity'])
    union all
    select c.relname from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and c.relname ~ '^weir_(windows|rollups|hopping|groups)_[0-9]{8}$'
       and not exists (select from pg_inherits i where i.inhrelid = c.oid)
  loop
    execute format('alter table %I
      add column kafka_partition int,
      add column if not exists updated_at timestamptz', name);
  end loop;
end $$;

create index weir_windows_record on weir_windows (kafka_partition, topic_generation, kafka_offset);
create index weir_rollups_record on weir_rollups (kafka_partition, topic_generation, kafka_offset);
create index weir_hopping_record on weir_hopping (kafka_partition, topic_generation, kafka_offset);
create index weir_groups_record on weir_groups (kafka_partition, topic_generation, kafka_offset);

-- The offset of each partition before which every record is in its table, or is a reject.
create view weir_positions as
select distinct on (o.name, o.partition)
       o.name as topic,
       o.partition as kafka_partition,
       o.generation as topic_generation,
       least(o.next_offset, w.first_offset) as next_offset
  from weir_sink_offsets o
  left join (
    select topic, topic_generation, kafka_partition, min(kafka_offset) as first_offset
      from weir_sink_waiting
     group by 1, 2, 3
  ) w on w.topic = o.name and w.topic_generation = o.generation and w.kafka_partition = o.partition
 order by o.name, o.partition, o.generation desc;
