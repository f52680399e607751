import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLive, useResource } from '../../../api/live.tsx'
import { networkPrintersQuery } from '../../../api/queries.ts'
import type { Printer } from '../../../api/resources.ts'
import { Section } from '../../../ui/section.tsx'

/** Offers that the agent prints to the address of a queue, so that the printer can answer. Only for such a queue. */
export function RawQueue({ printer: { computerId, osName } }: { printer: Printer }) {
  const live = useLive()
  const computer = useResource('computer', computerId)
  const query = networkPrintersQuery(live, computerId, computer?.state === 'online')
  // The owner of the computer may have permitted it meanwhile.
  const { data } = useQuery({ ...query, refetchOnMount: 'always' })
  const queue = data?.queues.find((one) => one.osName === osName)
  if (!queue) return null
  return (
    <Section title="What the printer says">
      <div className="flex flex-col gap-3 text-sm">
        <p>
          This queue of the operating system sends {queue.uri ? `to ${queue.uri}` : 'to a port of the printer'} and
          passes on nothing that the printer says. If Platen prints to this address itself, a label or receipt printer{' '}
          <a className="link" href="/docs/network-printers#the-word-of-the-printer" target="_blank" rel="noreferrer">
            says whether it has paper and what is printed
          </a>
          .
        </p>
        <QueueStays />
        {data?.refusal ? (
          <p>{data.refusal}</p>
        ) : (
          <div>
            <Link
              className="button"
              to="/$mode/computers/$computerId/add-printer"
              params={{ mode: live.mode, computerId }}
              search={{ queue: osName }}
            >
              Let Platen print to this address itself
            </Link>
          </div>
        )}
      </div>
    </Section>
  )
}

export const QueueStays = () => (
  <p>
    That adds another printer. The queue stays and goes on printing its own jobs: send each job to only one of them.
  </p>
)
