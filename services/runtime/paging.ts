/**
 * Keyset paging: a page begins after the place of the last row that was seen, so rows inserted meanwhile shift nothing. A cursor is
 * that place with a signature. Reference: docs/reference/pagination.md#cursors.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { PageEndSchema, type PageRequest } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { parse, stringify } from 'uuid'
import { ApiError } from './errors.ts'

export const PAGE_LIMIT_DEFAULT = 25
export const PAGE_LIMIT_MAX = 100

/** Where a row stands in its list: see `database/commit-order.ts`. */
export interface Place {
  place: bigint
  id: string
}

const PLACE_BYTES = 8 + 16

/** For the way between services, which sign and check nothing. */
export function packPlace({ place, id }: Place): Uint8Array {
  const packed = Buffer.alloc(PLACE_BYTES)
  packed.writeBigInt64BE(place)
  packed.set(parse(id), 8)
  return packed
}

/** @throws ApiError `invalid_request` for what `packPlace` did not make. */
export function unpackPlace(packed: Uint8Array): Place {
  if (packed.length !== PLACE_BYTES) throw new ApiError('invalid_request', '`after` must be the place of a row.')
  return { place: Buffer.from(packed).readBigInt64BE(), id: stringify(packed.subarray(8)) }
}

/** Makes the cursors that callers see. Every replica with the same secret takes the cursors of every other. */
export interface Cursors {
  /** @param list everything that a cursor is good for: the caller's tenant, the list, its filters and its direction. */
  sign(list: readonly unknown[], place: Uint8Array): string
  /** @throws ApiError `invalid_request` for a text that `sign` did not make for this very list. */
  open(list: readonly unknown[], cursor: string): Uint8Array
}

/** 128 bits: nobody guesses one. */
const SIGNATURE_BYTES = 16

export function createCursors(secret: string): Cursors {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'platen list cursors', 32))
  const signature = (list: readonly unknown[], place: Uint8Array) =>
    createHmac('sha256', key)
      .update(JSON.stringify(list))
      .update('\0')
      .update(place)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  return {
    sign: (list, place) => Buffer.concat([signature(list, place), place]).toString('base64url'),
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const place = bytes.subarray(SIGNATURE_BYTES)
      // A text has more spellings than bytes.
      const whole = bytes.length > SIGNATURE_BYTES && bytes.toString('base64url') === cursor
      if (!whole || !timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), signature(list, place)))
        throw new ApiError(
          'invalid_request',
          '`after` must be the `nextCursor` of an earlier page of this list, with the same filters and the same `dir`. Without `after` the list begins anew.',
        )
      return place
    },
  }
}

/** What a query asks for: one row more than the page has, to know whether more follow. */
export const rowsAsked = (page: PageRequest | undefined) => limitOf(page) + 1

/** @param rows that a query found, `rowsAsked` at most. */
export function endPage<Row extends { id: string; listPlace: bigint | string }>(
  page: PageRequest | undefined,
  rows: Row[],
) {
  const limit = limitOf(page)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const place = last && packPlace({ place: BigInt(last.listPlace), id: last.id })
  return { rows: shown, end: create(PageEndSchema, { hasMore: rows.length > limit, place }) }
}

const limitOf = (page: PageRequest | undefined) =>
  Math.min(Math.max(page?.limit || PAGE_LIMIT_DEFAULT, 1), PAGE_LIMIT_MAX)
