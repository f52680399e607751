/**
 * Sets of ids in paths (`1,2,5-9`) and the parameters of lists. The ids are numbers of jobs, printers and computers.
 */
import { NUMBER } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'

export interface NumberRange {
  from: number
  to: number
}

const RANGE = /^(\d{1,10})(?:-(\d{1,10}))?$/
const RANGES_MAX = 100
const LIMIT = { max: 100, default: 100 }

/** @throws ApiError `invalid_request` */
export function parseSet(text: string): NumberRange[] {
  const parts = text.split(',').filter((part) => part !== '')
  const ranges = parts.map((part) => {
    const [, first = '', last = first] = RANGE.exec(part.trim()) ?? []
    return { from: Number(first || Number.NaN), to: Number(last || Number.NaN) }
  })
  const isValid = ranges.every(({ from, to }) => from >= NUMBER.min && to >= from && to <= NUMBER.max)
  if (ranges.length === 0 || ranges.length > RANGES_MAX || !isValid)
    throw new ApiError('invalid_request', `A set of ids must be like \`1,2,5-9\`, with at most ${RANGES_MAX} parts.`)
  return ranges
}

/** Unknown and malformed parameters have no effect, as programs send some of their own. */
export function readPage(query: Record<string, string | string[] | undefined>) {
  const number = (name: string) => {
    const text = query[name]
    const value = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : 0
    return value >= NUMBER.min && value <= NUMBER.max ? value : undefined
  }
  return {
    limit: Math.min(number('limit') ?? LIMIT.default, LIMIT.max),
    after: number('after'),
    ascending: query.dir === 'asc',
  }
}
