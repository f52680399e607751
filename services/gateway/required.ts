/**
 * The record in another service's response. Every field of a message is optional; a response without its record is a
 * defect.
 */
export function required<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('the response of a service has no record')
  return record
}
