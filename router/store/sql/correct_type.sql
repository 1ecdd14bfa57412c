-- Stores a person's word on a question's type (null takes it back): the recall's id if it exists.
update recalls set corrected_type = %(type)s where bank_id = %(bank)s and id = %(id)s returning id
