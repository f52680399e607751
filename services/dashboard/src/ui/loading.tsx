/** Appears after 200 ms, so that a quick answer does not flash. */
export function Loading({ label = 'Loading …' }: { label?: string }) {
  return (
    <div className="appear-late flex items-center justify-center gap-2 p-10 text-sm text-muted">
      <span className="spinner" aria-hidden />
      {label}
    </div>
  )
}
