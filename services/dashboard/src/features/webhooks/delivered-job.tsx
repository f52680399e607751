import { Link } from '@tanstack/react-router'
import type { WebhookDelivery } from '../../api/gen/schema.ts'
import { useLive, useResource } from '../../api/live.tsx'

/** The job of a delivery: its title, which leads to it, and its printer if the page has loaded printers. */
export function DeliveredJob({ job }: { job: NonNullable<WebhookDelivery['job']> }) {
  const { mode } = useLive()
  const printer = useResource('printer', job.printerId)
  return (
    <>
      <Link
        to="/$mode/jobs/$jobId"
        params={{ mode, jobId: job.id }}
        preload={false}
        className="hover:underline"
        title={job.title}
      >
        {job.title || 'Job without a title'}
      </Link>
      {printer && <span className="text-muted"> {printer.displayName}</span>}
    </>
  )
}
