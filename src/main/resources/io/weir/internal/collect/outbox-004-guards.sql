-- Looks into the outbox beside its own table, whatever search_path a session has.
create or replace function weir_collector_keep() returns trigger language plpgsql as $$
declare waits boolean;
begin
  execute format('select exists (select from %I.weir_outbox)', tg_table_schema) into waits;
  if waits then
    raise exception 'weir_outbox has rows, and without weir_collector those that were sent would be sent again'
      using hint = 'delete the rows of weir_outbox that were sent first';
  end if;
  return null;
end
$$;

-- With another priority a row could be before the last one that was read: it would never be sent.
create function weir_outbox_keep() returns trigger language plpgsql as $$
begin
  raise exception 'the priority of a row of weir_outbox cannot be changed';
end
$$;
create trigger weir_outbox_keep before update of priority on weir_outbox
  for each row when (new.priority <> old.priority) execute function weir_outbox_keep();

-- Old rejects can be deleted also under a publication for all tables.
alter table weir_outbox_rejects replica identity full;
