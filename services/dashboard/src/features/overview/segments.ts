/** The states of a printer in a period. */
import type { Overview } from '../../api/gen/schema.ts'

type Stored = NonNullable<Overview['strip']>['printers'][number]['segments'][number]

export interface Segment extends Stored {
  end: string
}

/**
 * Each segment ends where the next one starts. One that starts while the overview is read, after its time, is left out.
 */
export const addEnds = (segments: Stored[], until: string): Segment[] =>
  segments
    .filter(({ start }) => Date.parse(start) < Date.parse(until))
    .map((segment, index, shown) => ({ ...segment, end: shown[index + 1]?.start ?? until }))

/** "online 96 %, offline 4 %", the longest first. */
export function describeShares(segments: Segment[]): string {
  const lengths = new Map<string, number>()
  for (const { state, start, end } of segments)
    lengths.set(state, (lengths.get(state) ?? 0) + Date.parse(end) - Date.parse(start))
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0) || 1
  return [...lengths]
    .toSorted(([, a], [, b]) => b - a)
    .map(([state, length]) => `${state} ${formatShare(length / total)}`)
    .join(', ')
}

/** A short trouble is not rounded away. */
function formatShare(share: number): string {
  const percent = Math.round(share * 100)
  if (percent === 0) return 'less than 1 %'
  return percent === 100 && share < 1 ? 'more than 99 %' : `${percent} %`
}
