/**
 * SQL: the name of the target of an action, if it is a member, an invitation or a key of the organization whose log it
 * is. Names of others must not appear there: the id of a target is chosen by the caller. The gateway knows the names of
 * other resources.
 */
export const targetNameSql = (logId: string, target: string) => `COALESCE(
  (SELECT name FROM accounts.api_key WHERE id = ${target}::uuid AND organization_id = ${logId}),
  (
    SELECT email FROM accounts.user JOIN accounts.membership ON user_id = id
    WHERE user_id = ${target}::uuid AND organization_id = ${logId}
  ),
  (SELECT email FROM accounts.invitation WHERE id = ${target}::uuid AND organization_id = ${logId})
)`
