import { create } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { PageEndSchema } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import type { ListStatisticsRequest } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { CONFIRMED_BY } from '@platen/resources/job-states.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { queryLimit } from '@platen/runtime/paging.ts'
import { DIMENSIONS, type Dimension } from '../add-counts.ts'
import { toPercentiles } from '../histogram.ts'
import { getEnd, getStart, INTERVALS, type Interval } from '../intervals.ts'
import { type CountRow, type EntryPosition, readStatistics } from '../list-statistics.ts'
import { parseOrganizationId, type Usage } from '../usage.ts'

/** @throws ApiError `invalid_request` if a field has a value that the contract does not name. */
export async function listStatistics({ lists, clock }: Usage, request: ListStatisticsRequest) {
  const { mode, value, from, until, page } = request
  const interval = parseInterval(request.interval)
  const filters = {
    organizationId: parseOrganizationId(request),
    mode,
    interval,
    dimension: parseDimension(request.dimension),
    value,
    from: getStart(interval, from ? timestampDate(from) : new Date(0)),
    until: getEnd(interval, until ? timestampDate(until) : clock.now()),
  }
  const rows = await readStatistics(lists, filters, {
    after: page?.after && unpackEntry(page.after),
    ascending: page?.ascending ?? false,
    rows: queryLimit(page),
  })
  const entries = toEntries(rows)
  const hasMore = entries.length === queryLimit(page)
  const shown = hasMore ? entries.slice(0, -1) : entries
  const last = shown.at(-1)
  return {
    entries: shown.map(entryToProto),
    end: create(PageEndSchema, { hasMore, ...(last && { position: packEntry(last) }) }),
  }
}

interface Entry extends EntryPosition {
  rows: CountRow[]
}

/** @param rows those of an entry follow each other. */
function toEntries(rows: CountRow[]): Entry[] {
  const entries: Entry[] = []
  for (const row of rows) {
    const last = entries.at(-1)
    if (last && last.value === row.value && last.start.getTime() === row.start.getTime()) last.rows.push(row)
    else entries.push({ start: row.start, value: row.value, rows: [row] })
  }
  return entries
}

const entryToProto = ({ start, value, rows }: Entry) => ({
  start: timestampFromDate(start),
  value,
  counts: rows
    .flatMap(({ state, reason, accepted, jobs }) => [
      { state: 'queued', reason: '', jobs: BigInt(accepted) },
      { state, reason, jobs: BigInt(jobs) },
    ])
    .filter(({ jobs }) => jobs > 0n),
  printing: toPercentiles(rows.map(({ printing }) => printing)),
  done: toPercentiles(rows.map(({ done }) => done)),
  confirmedBy: Object.fromEntries(
    CONFIRMED_BY.map((who) => [who, rows.reduce((sum, row) => sum + BigInt(row[`by_${who}`]), 0n)]),
  ),
})

/** Encodes a position for calls between services, without a signature. */
const packEntry = ({ start, value }: EntryPosition) => Buffer.from(`${start.getTime()} ${value}`)

function unpackEntry(packed: Uint8Array): EntryPosition {
  const [, ms, value = ''] = /^(\d+) (.*)$/s.exec(Buffer.from(packed).toString()) ?? []
  if (ms === undefined) throw new ApiError('invalid_request', '`after` must be the position of an entry.')
  return { start: new Date(Number(ms)), value }
}

function parseInterval(interval: string): Interval {
  const known = INTERVALS.find((one) => one === interval)
  if (!known) throw new ApiError('invalid_request', `\`interval\`: must be one of ${INTERVALS.join(', ')}.`)
  return known
}

function parseDimension(dimension: string): Dimension {
  const known = DIMENSIONS.find((one) => one === dimension)
  if (!known) throw new ApiError('invalid_request', `\`dimension\`: must be one of ${DIMENSIONS.join(', ')}.`)
  return known
}
