/**
 * Keyset paging: a page begins after the id of the last row that was seen, so rows inserted meanwhile shift nothing.
 * Source: specification, "Pagination", and decisions, "Conventions everywhere".
 */
import { validate as isUuid } from 'uuid'
import { ApiError } from './errors.ts'

export const PAGE_LIMIT_DEFAULT = 25
export const PAGE_LIMIT_MAX = 100

/** An opaque text, so that nobody builds on what is inside. */
export function encodeCursor(lastId: string): string {
  return Buffer.from(lastId.replaceAll('-', ''), 'hex').toString('base64url')
}

/** @throws ApiError `invalid_request` when the text is not a cursor that `encodeCursor` made. */
export function decodeCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (!isUuid(id) || encodeCursor(id) !== cursor)
    throw new ApiError('invalid_request', '`after` must be the `nextCursor` of an earlier page.')
  return id
}
