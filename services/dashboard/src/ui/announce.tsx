import { useSyncExternalStore } from 'react'

let message = ''
const listeners = new Set<() => void>()

/** Reads a sentence to users of screen readers, and shows it for a moment at the edge of the page. */
export function announce(text: string): void {
  // The same text twice would not be read again.
  message = text === message ? `${text}\u00a0` : text
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The one live region of the page. */
export function Announcements() {
  const text = useSyncExternalStore(subscribe, () => message)
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-20 flex justify-center px-4">
      {text !== '' && (
        <span key={text} className="toast rounded-md border bg-surface px-3 py-2 text-sm shadow-lg">
          {text}
        </span>
      )}
    </div>
  )
}
