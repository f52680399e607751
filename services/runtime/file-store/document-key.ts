/**
 * The names of documents: the id of the job that a document was made for, a UUIDv7, and behind it the number of the attempt where there
 * can be several. So a document tells by itself when it was made and which job to ask for.
 */
import { ApiError } from '../errors.ts'

const KEY = /^(?<id>[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})(?:-\d{1,4})?$/

/** What no store must ever see: keys are made by us, and one that could leave its directory is a defect or an attack. */
const HARMLESS = /^[a-z0-9-]{8,80}$/

/** @throws ApiError `internal_error` */
export function checkedKey(key: string): string {
  if (!HARMLESS.test(key)) throw new ApiError('internal_error', 'A document has a name that no store can hold.')
  return key
}

/** @returns undefined for what is no key of a document. */
export function jobIdOf(key: string): string | undefined {
  return KEY.exec(key)?.groups?.id
}

/** @returns whether it is a document's key, made at or before a time. */
export function isOldKey(key: string, before: Date): boolean {
  const id = jobIdOf(key)
  // The first 48 bits of a UUIDv7 are its time in milliseconds.
  return id !== undefined && Number.parseInt(id.replace('-', '').slice(0, 12), 16) <= before.getTime()
}
