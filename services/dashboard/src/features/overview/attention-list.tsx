import { Link, type LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import type { Overview } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import type { Mode } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { MarkedText } from '../../ui/marked-text.tsx'
import { Section } from '../../ui/section.tsx'

type Entry = Overview['attention']['entries'][number]

const SHOWN = 10

/** With one action for each entry. */
export function AttentionList({ entries, hasMore }: Overview['attention']) {
  const { mode } = useLive()
  const [isComplete, setIsComplete] = useState(false)
  const shown = isComplete ? entries : entries.slice(0, SHOWN)
  return (
    <Section title="Needs attention" isFlush>
      {entries.length === 0 ? (
        <p className="p-4 text-sm">
          <span aria-hidden className="mr-2 text-ok">
            ●
          </span>
          Nothing.
        </p>
      ) : (
        <ul aria-label="Needs attention">
          {shown.map((entry) => {
            const { action, link } = toAction(entry, mode)
            return (
              <li
                key={`${entry.kind} ${entry.code} ${entry.state} ${entry.computerId ?? entry.printerId ?? entry.destinationId ?? entry.webhookId}`}
                className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 border-b px-4 py-1.5 text-sm last:border-0"
              >
                <span className="flex min-w-0 items-baseline gap-2">
                  <span aria-hidden className="text-warn">
                    ▲
                  </span>
                  <span>
                    <MarkedText text={entry.text} />
                  </span>
                </span>
                <Link {...link} className="link">
                  {action}
                </Link>
              </li>
            )
          })}
          {shown.length < entries.length && (
            <li className="flex justify-center p-2">
              <Button onClick={() => setIsComplete(true)}>Show {entries.length - shown.length} more</Button>
            </li>
          )}
          {hasMore && shown.length === entries.length && (
            <li className="px-4 py-2 text-sm text-muted">There is more. Only the first {entries.length} are listed.</li>
          )}
        </ul>
      )}
    </Section>
  )
}

function toAction(entry: Entry, mode: Mode): { action: string; link: LinkProps } {
  const { kind, state, printerId, computerId, destinationId, webhookId } = entry
  if (kind === 'failed-jobs')
    return {
      action: 'Show the jobs',
      link: {
        to: '/$mode/jobs',
        params: { mode },
        search: { state: state ?? 'error', ...(printerId && { printer: printerId }) },
      },
    }
  if (printerId)
    return { action: 'Show the printer', link: { to: '/$mode/printers/$printerId', params: { mode, printerId } } }
  if (computerId)
    return { action: 'Show the computer', link: { to: '/$mode/computers/$computerId', params: { mode, computerId } } }
  if (destinationId)
    return {
      action: 'Show the destination',
      link: { to: '/$mode/destinations/$destinationId', params: { mode, destinationId } },
    }
  if (webhookId)
    return { action: 'Show the endpoint', link: { to: '/$mode/webhooks/$webhookId', params: { mode, webhookId } } }
  return { action: 'Show the usage', link: { to: '/usage' } }
}
