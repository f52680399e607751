/**
 * SQL: the organization by which an address may sign in, whose share of e-mails it uses. That of the oldest membership,
 * or of the oldest open invitation of an address without one, so that an invitation never changes it for a member. Null
 * without access.
 *
 * @param email a parameter or a column with its table.
 */
export const organizationSql = (email: string, now: string) => `COALESCE(
  (SELECT organization_id FROM accounts.user AS member JOIN accounts.membership ON user_id = member.id
    WHERE member.email = ${email} ORDER BY membership.created_at, organization_id LIMIT 1),
  (SELECT organization_id FROM accounts.invitation WHERE invitation.email = ${email} AND invitation.expires_at > ${now}
    ORDER BY invitation.created_at, id LIMIT 1)
)`
