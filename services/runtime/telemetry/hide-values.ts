/**
 * Removes values from the text of SQL statements in traces. MikroORM inlines values, for example names and hashes of
 * keys, instead of sending them as parameters.
 */

/** PostgreSQL text literals. A backslash is an escape only after `E`. */
const TEXT_LITERAL = /\bE'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'/gis

export function hideValues(sql: string): string {
  return sql.replace(TEXT_LITERAL, '?')
}
