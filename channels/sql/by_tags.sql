-- Visible memories whose caller named feelings and that have no trajectory of this layout: key, labels as given.
select m.key, m.affect_labels from memories m
where m.bank_id = %(bank)s and m.affect_labels <> '[]'
  and (m.affect is null or m.affect_layout <> 'dct-33x4-v1') and m.key <> %(except)s and /* visible */
order by m.key desc
limit %(most)s
