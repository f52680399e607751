import type { Job } from '../../api/resources.ts'
import { State } from '../../ui/state.tsx'

interface Shown {
  symbol: string
  color: string
}

/** The symbol shows the progress, the word the state; the color repeats them. */
const STATES: Record<Job['state'], Shown> = {
  queued: { symbol: '○', color: 'text-muted' },
  sent: { symbol: '◔', color: 'text-accent' },
  received: { symbol: '◑', color: 'text-accent' },
  printing: { symbol: '◕', color: 'text-accent' },
  done: { symbol: '●', color: 'text-ok' },
  error: { symbol: '✕', color: 'text-error' },
  cancelled: { symbol: '⊘', color: 'text-muted' },
  expired: { symbol: '⌛\ufe0e', color: 'text-error' },
}

export function JobState({ state }: { state: Job['state'] }) {
  const { symbol, color } = STATES[state]
  return (
    <State data-state={state} symbol={symbol} color={color} width="w-4">
      {state}
    </State>
  )
}
