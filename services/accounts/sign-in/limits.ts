/** The limits of sign-ins and invitations. Reference: docs/reference/sessions.md#limits. */

/** The tries of one code. */
export const TRIES_MAX = 5

/**
 * To an address: codes for unknown browsers of one network, codes for a known browser, or invitations. In each hour,
 * from its start in UTC.
 */
export const MAILS_PER_HOUR = 5
export const SIGN_INS_OF_IP_PER_HOUR = 20

type Kind = 'sign-ins of IP' | 'mails' | 'mails of organization' | 'invitations of organization'

/**
 * SQL that counts something. Concurrent statements wait for each other, so a count is exact. It has a row if the limit
 * permits it.
 *
 * @param subjects SQL that selects the subject, or nothing if nothing is to be counted.
 * @param period in which it counts, from its start in UTC.
 */
export const countSql = (kind: Kind, subjects: string, now: string, max: number, period: 'hour' | 'day' = 'hour') => `
  INSERT INTO accounts.sign_in_count AS counted (kind, subject, period_start, n)
  SELECT '${kind}', subject, date_trunc('${period}', ${now}::timestamptz, 'UTC'), 1
  FROM (${subjects}) AS subjects (subject)
  ON CONFLICT (kind, subject, period_start) DO UPDATE SET n = counted.n + 1 WHERE counted.n < ${max}
  RETURNING subject`
