-- Second wall between tenants. The first is bank_id in every statement; this one holds if a statement forgets it.
-- fivefold.bank is set for each transaction: a bank's number, or 'all' for maintenance. Unset shows nothing.
do $$
declare
  name text;
begin
  foreach name in array array[
    'bank_stats', 'memories', 'memory_stats', 'memory_tokens', 'episodes', 'memory_dates', 'postings', 'term_stats', 'edges',
    'entities', 'memory_entities', 'recalls', 'events', 'matrices', 'matrix_heads'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_bank on %I using ('
      '(select current_setting(''fivefold.bank'', true)) = ''all'' or bank_id = '
      '(select nullif(nullif(current_setting(''fivefold.bank'', true), ''all''), '''')::int))', name);
  end loop;
end $$;
