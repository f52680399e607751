const STATES = {
  online: { symbol: '●', color: 'text-ok' },
  offline: { symbol: '✕', color: 'text-error' },
  unknown: { symbol: '○', color: 'text-muted' },
  removed: { symbol: '⊘', color: 'text-muted' },
}

/** The state of a printer or computer: symbol, word and color. */
export function DeviceState({ state }: { state: keyof typeof STATES }) {
  const { symbol, color } = STATES[state]
  return (
    <span className={`inline-flex items-center gap-1.5 ${color}`}>
      <span aria-hidden className="inline-block w-3 text-center leading-none">
        {symbol}
      </span>
      {state}
    </span>
  )
}
