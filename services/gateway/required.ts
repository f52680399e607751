/**
 * The record in another service's answer. Messages of the contracts may lack any field; an answer without its one record is a
 * defect there.
 */
export function required<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('a service answered without the record that it was asked for')
  return record
}
