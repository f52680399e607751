/**
 * Keyset paging: a page starts after the position of the previous page's last row, so rows inserted meanwhile do not
 * shift it. A cursor is a signed position. Reference: docs/reference/pagination.md#cursors.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { PageEndSchema, type PageRequest } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { PAGE_SIZE } from '@platen/resources/limits.ts'
import { parse, stringify } from 'uuid'
import { ApiError } from './errors.ts'
import { type Keyring, matchesAny } from './keyring.ts'

/** Position of a row in its list: see `database/commit-seq.ts`. */
export interface ListPosition {
  commitSeq: bigint
  id: string
}

const POSITION_BYTES = 8 + 16

/** Encodes a position for calls between services, without a signature. */
export function packPosition({ commitSeq, id }: ListPosition): Uint8Array {
  const packed = Buffer.alloc(POSITION_BYTES)
  packed.writeBigInt64BE(commitSeq)
  packed.set(parse(id), 8)
  return packed
}

/** @throws ApiError `invalid_request` if the length differs from that of `packPosition`. */
export function unpackPosition(packed: Uint8Array): ListPosition {
  if (packed.length !== POSITION_BYTES) throw new ApiError('invalid_request', '`after` must be the position of a row.')
  return { commitSeq: Buffer.from(packed).readBigInt64BE(), id: stringify(packed.subarray(8)) }
}

/** Signs and verifies the cursors of the API. Replicas with the same keys accept each other's cursors. */
export interface Cursors {
  /** @param list scope of the cursor: tenant, list, filters and direction. */
  sign(list: readonly unknown[], position: Uint8Array): string
  /** @throws ApiError `invalid_request` if `sign` did not create the cursor for this list. */
  open(list: readonly unknown[], cursor: string): Uint8Array
}

const SIGNATURE_BYTES = 16

export function createCursors([first, ...others]: Keyring): Cursors {
  const derive = (key: Buffer) => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'platen list cursors', 32)))
  const signingKey = derive(first)
  const keys = [signingKey, ...others.map(derive)]
  const signature = (key: KeyObject, list: readonly unknown[], position: Uint8Array) =>
    createHmac('sha256', key)
      .update(JSON.stringify(list))
      .update('\0')
      .update(position)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  return {
    sign: (list, position) => Buffer.concat([signature(signingKey, list, position), position]).toString('base64url'),
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const position = bytes.subarray(SIGNATURE_BYTES)
      // Several base64url texts decode to the same bytes.
      const isCanonical = bytes.length > SIGNATURE_BYTES && bytes.toString('base64url') === cursor
      const expected = keys.map((key) => signature(key, list, position))
      if (!isCanonical || !matchesAny(expected, bytes.subarray(0, SIGNATURE_BYTES)))
        throw new ApiError(
          'invalid_request',
          '`after` must be the `nextCursor` of an earlier page of this list, with the same filters and the same `dir`. Omit `after` to start from the beginning.',
          { param: 'after' },
        )
      return position
    },
  }
}

/** LIMIT of a query: one row more than the page, to detect further rows. */
export const queryLimit = (page: PageRequest | undefined) => getLimit(page) + 1

/**
 * The size of the resources of a page, about. A larger one delays the other requests of the process. Reference:
 * docs/reference/pagination.md#page.bytes.
 */
const PAGE_MAX_BYTES = 256 * 1024

interface PageBounds<Row> {
  /** Bytes of the resource, of lists whose resources can be large. */
  getBytes?: (row: Row) => number
  /** The last row that the query examined, if it stopped before the end of the list. */
  scannedUntil?: ListPosition | undefined
}

/** @param rows result of the query, at most `queryLimit`. */
export function endPage<Row extends { id: string; commitSeq: bigint | string }>(
  page: PageRequest | undefined,
  rows: Row[],
  { getBytes, scannedUntil }: PageBounds<Row> = {},
) {
  const fitting = rows.slice(0, getLimit(page))
  const shown = getBytes ? fitting.slice(0, countFitting(fitting, getBytes)) : fitting
  const isCut = shown.length < rows.length
  const last = shown.at(-1)
  const end = isCut || !scannedUntil ? last && { commitSeq: BigInt(last.commitSeq), id: last.id } : scannedUntil
  const hasMore = isCut || scannedUntil !== undefined
  return { rows: shown, end: create(PageEndSchema, { hasMore, position: end && packPosition(end) }) }
}

/** @returns how many of the first rows fit together, at least one. @param maxBytes default: of a page. */
export function countFitting<Row>(rows: Row[], getBytes: (row: Row) => number, maxBytes = PAGE_MAX_BYTES): number {
  let bytes = 0
  const end = rows.findIndex((row, n) => {
    bytes += getBytes(row)
    return n > 0 && bytes > maxBytes
  })
  return end < 0 ? rows.length : end
}

const getLimit = (page: PageRequest | undefined) =>
  Math.min(Math.max(page?.limit || PAGE_SIZE.default, PAGE_SIZE.min), PAGE_SIZE.max)
