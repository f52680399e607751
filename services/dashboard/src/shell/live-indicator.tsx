import { useFeedStatus } from '../api/live.tsx'
import { formatClock, useNow } from '../ui/time.tsx'

/** Longer than the wait of a poll and its answer. */
const OUTDATED_MS = 35_000

/** Says whether the page is current, and since when it is not. */
export function LiveIndicator() {
  const { state, lastAnswerAt, isSignedOut } = useFeedStatus()
  useNow(5_000)
  const isOutdated = Date.now() - lastAnswerAt > OUTDATED_MS
  const { dot, text } = isSignedOut
    ? { dot: 'bg-error', text: 'Signed out' }
    : state === 'reconnecting' || isOutdated
      ? { dot: 'bg-warn', text: `Reconnecting since ${formatClock(lastAnswerAt)}` }
      : state === 'live'
        ? { dot: 'bg-ok', text: 'Up to date' }
        : { dot: 'bg-field', text: 'Connecting' }
  return (
    <span className="flex items-center gap-1.5 text-xs whitespace-nowrap text-muted" data-live={state}>
      <span aria-hidden className={`size-2 rounded-full ${dot}`} />
      {text}
      {(isOutdated || isSignedOut) && <span>· as of {formatClock(lastAnswerAt)}</span>}
    </span>
  )
}
