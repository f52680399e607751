import { Link } from '@tanstack/react-router'
import { useComputers, useLive, usePrinters } from '../../api/live.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Loading } from '../../ui/loading.tsx'

/** What is there, until the overview lists what needs attention. */
export function OverviewPage() {
  const { mode } = useLive()
  const printers = usePrinters()
  const computers = useComputers()
  const failed = [printers, computers].find(({ isError }) => isError)
  return (
    <>
      <PageHeader title="Overview" />
      <div className="flex max-w-3xl flex-col gap-4 p-4">
        {failed ? (
          <ErrorPanel
            title="Printers and computers could not be loaded."
            error={failed.error}
            onRetry={() => failed.refetch()}
          />
        ) : printers.isPending || computers.isPending ? (
          <Loading />
        ) : (
          <p>
            {countOnline(printers.printers)} printers and {countOnline(computers.computers)} computers are online.
          </p>
        )}
        <p>
          <Link to="/$mode/jobs" params={{ mode }} className="link">
            Jobs that need attention
          </Link>
        </p>
      </div>
    </>
  )
}

const countOnline = (all: readonly { state: string }[]) =>
  `${all.filter(({ state }) => state === 'online').length} of ${all.length}`
