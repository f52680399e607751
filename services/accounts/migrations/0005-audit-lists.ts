/** Lists of the audit log by an actor, an action or both read no other entries. */
export const ADD_AUDIT_LISTS = [
  'CREATE INDEX audit_page_action ON accounts.audit (organization_id, action, commit_seq, id)',
  'CREATE INDEX audit_page_actor ON accounts.audit (organization_id, actor_id, commit_seq, id)',
  'CREATE INDEX audit_page_both ON accounts.audit (organization_id, actor_id, action, commit_seq, id)',
]
