-- Wakes the collector when a statement has inserted rows. Commits of transactions that notify take
-- turns.
create or replace function weir_outbox_notify() returns trigger language plpgsql as $$
begin
  notify weir_outbox;
  return null;
end
$$;
drop trigger if exists weir_outbox_notify on weir_outbox;
create trigger weir_outbox_notify after insert on weir_outbox
  for each statement execute function weir_outbox_notify();
