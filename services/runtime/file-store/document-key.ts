/**
 * Document keys: the id of the job (UUIDv7), and the number of the attempt if several are possible. A key thus contains
 * the creation time and the job of its document.
 */
import { ApiError } from '../errors.ts'

const KEY = /^(?<id>[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})(?:-\d{1,4})?$/

/** Prevents path traversal. The services generate all keys, so another key is a defect or an attack. */
const HARMLESS = /^[a-z0-9-]{8,80}$/

/** @throws ApiError `internal_error` */
export function checkedKey(key: string): string {
  if (!HARMLESS.test(key)) throw new ApiError('internal_error', 'Invalid document key.')
  return key
}

/** @returns undefined if `key` is not a document key. */
export function parseJobId(key: string): string | undefined {
  return KEY.exec(key)?.groups?.id
}

/** @returns whether `key` is a document key created at or before `before`. */
export function isOldKey(key: string, before: Date): boolean {
  const id = parseJobId(key)
  // The first 48 bits of a UUIDv7 are its time in milliseconds.
  return id !== undefined && Number.parseInt(id.replace('-', '').slice(0, 12), 16) <= before.getTime()
}
