import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { useJobs } from '../../api/use-jobs.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { JobList } from '../jobs/job-list.tsx'
import { AttentionList } from './attention-list.tsx'
import { Checklist } from './checklist.tsx'
import { PrinterStrip } from './printer-strip.tsx'
import { describeMissing, describeNow } from './summary.ts'
import { Tiles } from './tiles.tsx'
import { useOverview } from './use-overview.ts'

const RECENT = 20

/** Whether all is well: in words, in figures, by printer; what needs attention; then the newest jobs. */
export function OverviewPage() {
  const overview = useOverview()
  return (
    <>
      <PageHeader title="Overview" />
      <div className="flex flex-col gap-4 p-4">
        <Loaded query={overview} failure="The overview could not be loaded.">
          {(found) => (
            <>
              <Summary overview={found} />
              {found.checklist ? (
                <Checklist steps={found.checklist} />
              ) : (
                found.figures && <Tiles figures={found.figures} waiting={found.waiting} at={found.at} />
              )}
              <AttentionList {...found.attention} />
              {found.strip && found.strip.printers.length > 0 && <PrinterStrip strip={found.strip} until={found.at} />}
            </>
          )}
        </Loaded>
        <RecentJobs printers={overview.data?.namedPrinters} />
      </div>
    </>
  )
}

function Summary({ overview }: { overview: Overview }) {
  const missing = describeMissing(overview)
  return (
    <div className="flex flex-col gap-1">
      <p className="text-lg">{describeNow(overview)}</p>
      {missing && (
        <p role="status" className="text-sm text-warn">
          {missing}
        </p>
      )}
    </div>
  )
}

function RecentJobs({ printers }: { printers: Overview['namedPrinters'] | undefined }) {
  const { mode } = useLive()
  const query = useJobs({ query: {}, dir: 'desc', limit: RECENT })
  return (
    <Section
      title="Recent jobs"
      isFlush
      actions={
        <Link to="/$mode/jobs" params={{ mode }} search={{ state: 'all' }} className="link text-sm">
          All jobs
        </Link>
      }
    >
      <Loaded query={query} failure="The recent jobs could not be loaded.">
        {({ ids }) =>
          ids.length === 0 ? (
            <Empty title={`No print jobs in ${mode} mode`}>
              <p>Jobs that are sent to the API appear here.</p>
            </Empty>
          ) : (
            <JobList label="Recent jobs" ids={ids} printers={printers} />
          )
        }
      </Loaded>
    </Section>
  )
}
