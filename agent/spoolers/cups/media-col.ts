/** Paper, tray and kind of paper, which CUPS takes together as `media-col` (PWG 5100.3): alone it ignores some of them. */

import type { JsonValue } from '@bufbuild/protobuf'
import type { IppAttributes, IppTypedAttributes, IppValue } from '../../ipp/attributes.ts'
import { isRange } from '../../ipp/attributes.ts'
import { integer, keyword } from '../../ipp/typed.ts'
import { offersInteger, type Queue } from './queue.ts'

/** Sizes are said in tenths of a millimetre by the interface, and in hundredths by IPP. */
const HUNDREDTHS = 10

/** What drivers round away: a size in points or inches is not a whole number of tenths. */
const TOLERANCE_HUNDREDTHS = 50

interface Dropped {
  name: string
  value: JsonValue
  dropped: string
}

export interface AskedMedia {
  bin?: JsonValue
  media?: JsonValue
  paper?: JsonValue
}

export function mediaCol(asked: AskedMedia, queue: Queue): { attributes: IppTypedAttributes; dropped: Dropped[] } {
  const members: IppTypedAttributes = {}
  const dropped: Dropped[] = []
  const { bin, media, paper } = asked
  const drop = (name: string, value: JsonValue, why: string) => void dropped.push({ name, value, dropped: why })

  if (paper !== undefined) {
    const size = findSize(paper, queue)
    if ('dropped' in size) drop('paper', paper, size.dropped)
    else
      members['media-size'] = {
        syntax: 'collection',
        value: {
          'x-dimension': integer(size.x),
          'y-dimension': integer(size.y),
        },
      }
  }
  for (const [name, value, member] of [
    ['bin', bin, 'media-source'],
    ['media', media, 'media-type'],
  ] as const) {
    if (value === undefined) continue
    if (queue.attributes[`${member}-supported`]?.includes(String(value))) members[member] = keyword(String(value))
    else drop(name, value, 'this queue does not offer it')
  }
  const isEmpty = Object.keys(members).length === 0
  return { attributes: isEmpty ? {} : { 'media-col': { syntax: 'collection', value: members } }, dropped }
}

/** Hundredths of a millimetre. */
interface Size {
  x: number
  y: number
}

/** @param paper the name of a paper that was reported, or a custom paper with its size. */
function findSize(paper: JsonValue, { attributes, papers }: Queue): Size | { dropped: string } {
  const custom = typeof paper === 'object' && paper !== null && !Array.isArray(paper) ? paper : undefined
  const size = custom ?? papers.get(String(paper))
  if (!size) return { dropped: 'this queue has no such paper' }
  const { width, height } = size
  if (typeof width !== 'number' || typeof height !== 'number')
    return { dropped: 'it has no fixed size, and CUPS prints on sheets of one size only' }
  const asked = { x: Math.round(width * HUNDREDTHS), y: Math.round(height * HUNDREDTHS) }
  const offered = (attributes['media-size-supported'] ?? []).flatMap(readSize)
  const exact = offered.find(({ x, y }) => isAbout(x, asked.x) && isAbout(y, asked.y))
  if (exact) return { x: Number(exact.x), y: Number(exact.y) }
  if (offered.some(({ x, y }) => offersInteger([x], asked.x) && offersInteger([y], asked.y))) return asked
  return { dropped: 'this queue does not take paper of its size' }
}

const isAbout = (offered: IppValue, asked: number) =>
  typeof offered === 'number' && Math.abs(offered - asked) <= TOLERANCE_HUNDREDTHS

function readSize(value: IppValue): { x: IppValue; y: IppValue }[] {
  const { 'x-dimension': [x] = [], 'y-dimension': [y] = [] } = (value ?? {}) as IppAttributes
  return [x, y].every((one) => typeof one === 'number' || isRange(one)) ? [{ x: x as IppValue, y: y as IppValue }] : []
}
