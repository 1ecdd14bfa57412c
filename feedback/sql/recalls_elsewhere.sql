-- Which of these recalls belong to another bank. Runs outside the bank's wall; gives back ids only.
select distinct id
from recalls
where id = any(%(recall_ids)s) and bank_id <> %(bank)s
