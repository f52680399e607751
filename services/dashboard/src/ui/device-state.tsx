import type { Computer } from '../api/resources.ts'
import { State } from './state.tsx'

const STATES = {
  online: { symbol: '●', color: 'text-ok' },
  offline: { symbol: '✕', color: 'text-error' },
  unauthorized: { symbol: '⊗', color: 'text-error' },
  unknown: { symbol: '○', color: 'text-muted' },
  removed: { symbol: '⊘', color: 'text-muted' },
}

/** The state of a computer. */
export const ComputerState = ({ computer: { state, unauthorizedAt } }: { computer: Computer }) => (
  <DeviceState state={unauthorizedAt ? 'unauthorized' : state} />
)

/** The state of a printer or computer: symbol, word and color. */
export function DeviceState({ state }: { state: keyof typeof STATES }) {
  const { symbol, color } = STATES[state]
  return (
    <State symbol={symbol} color={color}>
      {state}
    </State>
  )
}
