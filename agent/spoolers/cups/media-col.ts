/** Paper, tray and media type as one attribute `media-col` (PWG 5100.3). CUPS ignores some of them as separate attributes. */

import type { JsonValue } from '@bufbuild/protobuf'
import type { IppAttributes, IppTypedAttributes, IppValue } from '../../ipp/attributes.ts'
import { isRange } from '../../ipp/attributes.ts'
import { integer, keyword } from '../../ipp/typed.ts'
import { formatSize, notOffered } from '../ignored-option.ts'
import { offersInteger, type Queue } from './queue.ts'

/** The API uses tenths of a millimetre, IPP uses hundredths. */
const HUNDREDTHS_PER_TENTH = 10

/** Drivers round sizes, because a size in points or inches is not an integer of tenths of a millimetre. */
const TOLERANCE_HUNDREDTHS = 50

interface Dropped {
  name: string
  value: JsonValue
  dropped: string
}

export interface MediaOptions {
  bin?: JsonValue
  media?: JsonValue
  paper?: JsonValue
}

/** @returns the attribute `media-col`, absent without members, the options that the queue does not offer, and the size of the sheet if it is known. */
export function toMediaCol(
  options: MediaOptions,
  queue: Queue,
): { attributes: IppTypedAttributes; dropped: Dropped[]; sheet: Size | undefined } {
  const members: IppTypedAttributes = {}
  const dropped: Dropped[] = []
  let sheet = findDefaultSize(queue)
  const { bin, media, paper } = options
  const drop = (name: string, value: JsonValue, reason: string) => void dropped.push({ name, value, dropped: reason })

  if (paper !== undefined) {
    const size = findSize(paper, queue)
    if ('dropped' in size) drop('paper', paper, size.dropped)
    else {
      sheet = size
      members['media-size'] = {
        syntax: 'collection',
        value: {
          'x-dimension': integer(size.x),
          'y-dimension': integer(size.y),
        },
      }
    }
  }
  for (const [name, value, member] of [
    ['bin', bin, 'media-source'],
    ['media', media, 'media-type'],
  ] as const) {
    if (value === undefined) continue
    const offered = queue.attributes[`${member}-supported`] ?? []
    if (offered.includes(String(value))) members[member] = keyword(String(value))
    else drop(name, value, notOffered(offered.filter((one) => typeof one === 'string')))
  }
  const isEmpty = Object.keys(members).length === 0
  return { attributes: isEmpty ? {} : { 'media-col': { syntax: 'collection', value: members } }, dropped, sheet }
}

/** Hundredths of a millimetre. */
export interface Size {
  x: number
  y: number
}

/** @param paper the name of a reported paper, or a custom paper with its size. */
function findSize(paper: JsonValue, { attributes, papers }: Queue): Size | { dropped: string } {
  const custom = typeof paper === 'object' && paper !== null && !Array.isArray(paper) ? paper : undefined
  const size = custom ?? papers.get(String(paper))
  if (!size) return { dropped: notOffered(papers.keys()) }
  const { width, height } = size
  if (typeof width !== 'number' || typeof height !== 'number')
    return { dropped: 'papers without a fixed length are not supported here' }
  const requested = { x: Math.round(width * HUNDREDTHS_PER_TENTH), y: Math.round(height * HUNDREDTHS_PER_TENTH) }
  const offered = (attributes['media-size-supported'] ?? []).flatMap(parseSize)
  const exact = offered.find(({ x, y }) => isClose(x, requested.x) && isClose(y, requested.y))
  if (exact) return { x: Number(exact.x), y: Number(exact.y) }
  if (offered.some(({ x, y }) => offersInteger([x], requested.x) && offersInteger([y], requested.y))) return requested
  return { dropped: `this printer does not support its size of ${formatSize({ width, height })}` }
}

function findDefaultSize({ attributes }: Queue): Size | undefined {
  const [media] = attributes['media-col-default'] ?? []
  const [size] = ((media ?? {}) as IppAttributes)['media-size'] ?? []
  const [{ x, y } = {}] = parseSize(size ?? null)
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined
}

const isClose = (offered: IppValue, requested: number) =>
  typeof offered === 'number' && Math.abs(offered - requested) <= TOLERANCE_HUNDREDTHS

function parseSize(value: IppValue): { x: IppValue; y: IppValue }[] {
  const { 'x-dimension': [x] = [], 'y-dimension': [y] = [] } = (value ?? {}) as IppAttributes
  return [x, y].every((one) => typeof one === 'number' || isRange(one)) ? [{ x: x as IppValue, y: y as IppValue }] : []
}
