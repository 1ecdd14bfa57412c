-- Notes up to which key SIMILAR_TO is new.
update reembeddings set linked = %(key)s where bank_id = %(bank)s
