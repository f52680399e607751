/**
 * Takes the values out of a statement's text. MikroORM writes them into it, where the parameters of `pg` would have kept hashes of
 * keys, names and whatever else is looked up or stored out of the traces.
 */

/** Text in PostgreSQL: with a backslash as an escape only behind `E`. */
const TEXT_LITERAL = /\bE'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'/gis

export function hideValues(sql: string): string {
  return sql.replace(TEXT_LITERAL, '?')
}
