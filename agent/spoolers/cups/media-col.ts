/**
 * Paper, tray and media type as one attribute `media-col` (PWG 5100.3). CUPS ignores some of them as separate
 * attributes.
 */

import type { JsonValue } from '@bufbuild/protobuf'
import type { IppAttributes, IppTypedAttributes, IppValue } from '@platen/ipp/attributes.ts'
import { isRange } from '@platen/ipp/attributes.ts'
import { integer, keyword } from '@platen/ipp/typed.ts'
import { changedPaper, formatSize, notOffered } from '../ignored-option.ts'
import type { PdfInfo } from '../spooler.ts'
import { offersInteger, type Queue } from './queue.ts'
import { avoidRotation, findRotated, type Size } from './rotated-papers.ts'

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

export interface MediaCol {
  /** `media-col`, absent without members. */
  attributes: IppTypedAttributes
  /** The options that the queue does not offer. */
  dropped: Dropped[]
  /** About a paper with another size. */
  warnings: string[]
  /** Undefined if it is not known. */
  sheet: Size | undefined
}

/** @param pages the sizes of the pages in points; undefined if they are not known. */
export function toMediaCol(options: MediaOptions, queue: Queue, pages?: PdfInfo['sizes']): MediaCol {
  const members: IppTypedAttributes = {}
  const dropped: Dropped[] = []
  const warnings: string[] = []
  let sheet = findDefaultSize(queue)
  const { bin, media, paper } = options
  const setSize = (size: Size) => {
    sheet = size
    members['media-size'] = {
      syntax: 'collection',
      value: { 'x-dimension': integer(size.x), 'y-dimension': integer(size.y) },
    }
  }
  const drop = (name: string, value: JsonValue, reason: string) => void dropped.push({ name, value, dropped: reason })

  if (paper !== undefined) {
    const resolved = resolveSize(paper, queue)
    if ('dropped' in resolved) drop('paper', paper, resolved.dropped)
    else {
      const { size, warning } = resolved
      if (warning) warnings.push(warning)
      setSize(size)
    }
  } else if (!sheet && listOffered(queue).length > 0) {
    const size = findReplacement(queue, pages)
    if (size) setSize(size)
    else warnings.push(NO_DEFAULT)
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
  const attributes: IppTypedAttributes = isEmpty ? {} : { 'media-col': { syntax: 'collection', value: members } }
  return { attributes, dropped, warnings, sheet }
}

/** Whether a raster filter of the queue would print the paper across. */
export function isRotated(paper: JsonValue, queue: Queue): boolean {
  const size = findSize(paper, queue)
  return !('dropped' in size) && findRotated(size, listSizes(queue)) !== undefined
}

function resolveSize(paper: JsonValue, queue: Queue): { size: Size; warning?: string } | { dropped: string } {
  const requested = findSize(paper, queue)
  if ('dropped' in requested) return requested
  if (!queue.isRaster) return { size: requested }
  const size = avoidRotation(requested, listSizes(queue), (one) => isSupported(one, queue))
  const reason = `the driver of this printer prints ${format(requested)} across`
  if (!size) return { dropped: reason }
  return size === requested ? { size } : { size, warning: changedPaper(paper, format(size), reason) }
}

const format = ({ x, y }: Size) => formatSize({ width: x / HUNDREDTHS_PER_TENTH, height: y / HUNDREDTHS_PER_TENTH })

const listOffered = ({ attributes }: Queue) => (attributes['media-size-supported'] ?? []).flatMap(parseSize)

const listSizes = (queue: Queue) =>
  listOffered(queue).filter((one): one is Size => typeof one.x === 'number' && typeof one.y === 'number')

const isSupported = (size: Size, queue: Queue) =>
  listOffered(queue).some(({ x, y }) => offersInteger([x], size.x) && offersInteger([y], size.y))

/** @param paper the name of a reported paper, or a custom paper with its size. */
function findSize(paper: JsonValue, queue: Queue): Size | { dropped: string } {
  const custom = typeof paper === 'object' && paper !== null && !Array.isArray(paper) ? paper : undefined
  const size = custom ?? queue.papers.get(String(paper))
  if (!size) return { dropped: notOffered(queue.papers.keys()) }
  const { width, height } = size
  if (typeof width !== 'number' || typeof height !== 'number')
    return { dropped: 'papers without a fixed length are not supported here' }
  const offered = findOffered({ x: width * HUNDREDTHS_PER_TENTH, y: height * HUNDREDTHS_PER_TENTH }, queue)
  if (offered) return offered
  return { dropped: `this printer does not support its size of ${formatSize({ width, height })}` }
}

const NO_DEFAULT =
  'The computer does not know which paper is loaded in this printer, whose print queue names none. Send the option paper, or set a default paper of the printer.'

/**
 * CUPS names a paper as the default of a queue that the queue does not have, if all papers of its device are without
 * margins, and then prints for Letter.
 */
export const hasDefaultSize = (queue: Queue): boolean => findDefaultSize(queue) !== undefined

/** @returns undefined if the queue has none, or one that it does not offer. */
function findDefaultSize(queue: Queue): Size | undefined {
  const size = readDefaultSize(queue.attributes)
  return size && (listOffered(queue).length === 0 || findOffered(size, queue)) ? size : undefined
}

/** For a queue without a default: that of its device, else the paper as large as all pages. */
function findReplacement(queue: Queue, pages: PdfInfo['sizes'] = []): Size | undefined {
  const device = queue.device && readDefaultSize(queue.device)
  const [page] = pages
  const own = page &&
    pages.length === 1 && { x: page.width * HUNDREDTHS_PER_POINT, y: page.height * HUNDREDTHS_PER_POINT }
  for (const size of [device, own]) {
    const offered = size && findOffered(size, queue)
    if (offered) return offered
  }
  return undefined
}

function readDefaultSize(attributes: IppAttributes): Size | undefined {
  const [media] = attributes['media-col-default'] ?? []
  const [size] = ((media ?? {}) as IppAttributes)['media-size'] ?? []
  const [{ x, y } = {}] = parseSize(size ?? null)
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined
}

const HUNDREDTHS_PER_POINT = 2540 / 72

/** @returns the size as the queue offers it. */
function findOffered(size: Size, queue: Queue): Size | undefined {
  const rounded = { x: Math.round(size.x), y: Math.round(size.y) }
  const exact = listOffered(queue).find(({ x, y }) => isClose(x, rounded.x) && isClose(y, rounded.y))
  if (exact) return { x: Number(exact.x), y: Number(exact.y) }
  return isSupported(rounded, queue) ? rounded : undefined
}

const isClose = (offered: IppValue, requested: number) =>
  typeof offered === 'number' && Math.abs(offered - requested) <= TOLERANCE_HUNDREDTHS

function parseSize(value: IppValue): { x: IppValue; y: IppValue }[] {
  const { 'x-dimension': [x] = [], 'y-dimension': [y] = [] } = (value ?? {}) as IppAttributes
  return [x, y].every((one) => typeof one === 'number' || isRange(one)) ? [{ x: x as IppValue, y: y as IppValue }] : []
}
