-- The newest generation of each topic, also after weir_sink_offsets was emptied: rows of the tables
-- still have older ones, and a later record must be newer than they are.
create table weir_sink_generations (
  name       text primary key,  -- the topic
  generation int  not null
);
insert into weir_sink_generations (name, generation)
select name, max(generation) from weir_sink_offsets group by name;

-- It calls a function of the same schema, whatever the search path of a session is.
do $$ begin
  execute format('alter function weir_histogram_quantile(jsonb, float8) set search_path = %I, pg_temp', current_schema());
end $$;
